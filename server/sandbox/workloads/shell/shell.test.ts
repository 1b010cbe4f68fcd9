import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { FileTree } from './language/file-tree';
import { Collector, decode, encode, InputStream } from './language/io';
import { type Mount, MountedFiles } from './language/mounted-files';
import { Process } from './language/process';
import { packTar, unpackTar } from './programs/archive';
import { runProgram } from './shell';

const LIMITS = { volumeBytes: 1_000_000, files: 100 };
const clock = new VirtualClock(Date.UTC(2026, 10, 21, 20, 24, 22));

interface Result {
  readonly out: string;
  readonly err: string;
  readonly code: number | string;
}

function run(
  script: string | readonly string[],
  options: { stdin?: string; files?: MountedFiles; env?: object } = {},
): Result {
  const out = new Collector(10_000_000);
  const err = new Collector(10_000_000);
  const files = options.files ?? freshFiles();
  const steps = runProgram({
    argv: typeof script === 'string' ? ['sh', '-c', script] : script,
    env: new Map(Object.entries(options.env ?? { NAME: 'pod-1', EMPTY: '' })),
    cwd: '/',
    files,
    streams: { stdin: new InputStream(encode(options.stdin ?? '')), stdout: out, stderr: err },
    clock,
    hostname: 'pod-1',
    ip: '10.244.0.2',
    role: 'exec',
  });
  const state = new Process(steps, clock).state;
  return {
    out: decode(out.bytes()),
    err: decode(err.bytes()),
    code: state.kind === 'exited' ? state.exitCode : state.kind,
  };
}

function freshFiles(mounts: readonly Mount[] = []): MountedFiles {
  const files = new MountedFiles(new FileTree(LIMITS), mounts, clock);
  files.makeDirectories('/tmp');
  return files;
}

describe('the shell', () => {
  it.each([
    ['echo hello   world', 'hello world\n'],
    [`echo 'a  b' "c  $NAME" d\\ e`, 'a  b c  pod-1 d e\n'],
    ['x=1; x=$((x + 2 * 3)); echo $x', '7\n'],
    ['echo ${NAME%-1} ${NAME#pod-} ${MISSING:-none} ${EMPTY:-empty} ${EMPTY-set} ${#NAME}', 'pod 1 none empty 5\n'],
    ['echo "$(echo inner; echo two)" `echo back`', 'inner\ntwo back\n'],
    ['true && echo yes || echo no; false && echo yes || echo no', 'yes\nno\n'],
    ['if [ -d /tmp ] && test 3 -gt 2; then echo dir; else echo none; fi', 'dir\n'],
    ['if false; then echo a; elif true; then echo b; fi', 'b\n'],
    ['for i in 1 2 3; do echo -n $i,; done; echo', '1,2,3,\n'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done', '1\n2\n3\n'],
    ['for i in $(seq 1 5); do if [ $i = 3 ]; then continue; fi; [ $i = 5 ] && break; echo $i; done', '1\n2\n4\n'],
    ['case "$NAME" in web*) echo web;; pod-?) echo pod;; *) echo other;; esac', 'pod\n'],
    ['f() { echo "got $1 of $#"; return 4; }; f a b; echo $?', 'got a of 2\n4\n'],
    ["cat <<EOF\nname: $NAME\nEOF\ncat <<'END'\nname: $NAME\nEND", 'name: pod-1\nname: $NAME\n'],
    ['echo one > /tmp/f; echo two >> /tmp/f; cat < /tmp/f | grep -c o', '2\n'],
    ['(cd /tmp; pwd); pwd', '/tmp\n/\n'],
    ['set -- a "b c"; for x in "$@"; do echo "<$x>"; done', '<a>\n<b c>\n'],
    ['cd /tmp && echo a b > w && wc -l w && wc -c < w && wc w', '1 w\n4\n1 2 4 w\n'],
    [
      'cd /tmp && echo x > s && sha256sum s > t && sha256sum -c t && echo y > s; sha256sum -c t 2> /dev/null || true',
      's: OK\ns: FAILED\n',
    ],
    ['printf x | md5sum; set -- $(df -Pk / | tail -n 1); echo $4', '9dd4e461268c8034f5c8564e155c67a6  -\n1048576\n'],
    ['date -u -d @86400 +%F; sync', '1970-01-02\n'],
    ['echo b a c | tr " " "\\n" | sort | head -n 2 | tail -1', 'b\n'],
    ['printf "%s=%03d|%-4s|\\n" a 7 x b 12 yy', 'a=007|x   |\nb=012|yy  |\n'],
    ['echo "k: v" | sed "s/\\(.*\\): \\(.*\\)/\\2=\\1/"; echo aXbX | sed s/X/-/g', 'v=k\na-b-\n'],
    ['echo -e "a\\tb"; ls / | grep -c tmp', 'a\tb\n1\n'],
    ['touch /tmp/b.txt /tmp/a.txt; cd /tmp; echo *.txt', 'a.txt b.txt\n'],
    ['X=a/b.tar.gz; echo ${X##*/} ${X%/*} ${X%%.*} ${X#*.} ${X%[xyz]}', 'b.tar.gz a a/b tar.gz a/b.tar.g\n'],
    ['case "12a" in ""|*[!0-9]*) echo text;; *) echo number;; esac', 'text\n'],
    ["echo '1, started, db-0' | while IFS=', ' read -r id _ name; do echo $id=$name; done", '1=db-0\n'],
    ['cat <<-EOF | sed -n "s/b\\(.\\)/[\\1&]/p;\\$d"\n\tabc\n\tx\n\tEOF', 'a[cbc]\n'],
    ['echo a.b | sed "/a/ s/[a-z]\\./-/;/nothing/d" | grep -E "^-(b|c)$"', '-b\n'],
    ['f() (exit 3); f || echo $?; { echo a; false; } | cat; echo $(( (2 + 3) % 4 == 1 && !0 ))', '3\na\n1\n'],
    ['mkdir -p /tmp/a/b && touch /tmp/a/b/c && cp -r /tmp/a /tmp/d && find /tmp/d -type f', '/tmp/d/b/c\n'],
    ['date +%Y-%m-%dT%H:%M:%S; date +%s', '2026-11-21T20:24:22\n1795292662\n'],
    ['hostname', 'pod-1\n'],
    ['X=1 env | grep ^X=; export Y=2; env | grep ^Y=', 'X=1\nY=2\n'],
    ['echo "a b c" | while read x y; do echo "$y/$x"; done', 'b c/a\n'],
    ['# a comment\necho done # more', 'done\n'],
    ['test -f /nope; echo $?; [ -z "" ]; echo $?; [ a = b -o 1 -eq 1 ]; echo $?', '1\n0\n0\n'],
    ['command -v cat >/dev/null && echo found', 'found\n'],
    ['echo aGk= | base64 -d', 'hi'],
    ['eval "echo $((2*21))"; ! false && echo negated', '42\nnegated\n'],
  ])('%s', (script, wanted) => {
    const { out, err, code } = run(script);
    expect({ out, err, code }).toEqual({ out: wanted, err: '', code: 0 });
  });

  it('ends with the code of exit, of the last command, and at once with -e', () => {
    expect(run('echo a; exit 7; echo b')).toMatchObject({ out: 'a\n', code: 7 });
    expect(run('false')).toMatchObject({ code: 1 });
    expect(run('set -e; false || true; if false; then :; fi; false; echo never')).toMatchObject({ out: '', code: 1 });
    expect(run('(exit 3); echo $?')).toMatchObject({ out: '3\n' });
    expect(run(['false'])).toMatchObject({ code: 1 });
  });

  it('reports what it does not find or cannot read', () => {
    expect(run('nonsense')).toMatchObject({ err: 'sh: nonsense: not found\n', code: 127 });
    expect(run('cat /nope')).toMatchObject({ err: 'cat: /nope: No such file or directory\n', code: 1 });
    expect(run('echo "open')).toMatchObject({ code: 2 });
    expect(run('if true; then echo')).toMatchObject({ code: 2 });
    expect(run('echo x > /tmp; echo $?')).toMatchObject({ out: '1\n' });
  });

  it('redirects errors', () => {
    expect(run('cat /nope 2>/dev/null; echo $?')).toMatchObject({ out: '1\n', err: '' });
    expect(run('cat /nope 2>&1 | grep -c nope')).toMatchObject({ out: '1\n', err: '' });
    expect(run('echo err >&2')).toMatchObject({ out: '', err: 'err\n' });
  });

  it('kills what never ends and what prints too much', () => {
    expect(run('while true; do :; done')).toMatchObject({ code: 137 });
    expect(run('x=aaaaaaaaaaaaaaaa; for i in $(seq 1 30); do x=$x$x; done; echo $x').code).not.toBe(0);
    expect(run('f() { f; }; f').code).toBe(137);
    expect(run('set -- a b c d; for i in $(seq 1 40); do set -- "$@" "$@"; done').code).toBe(137);
    expect(run('(((((((((('.repeat(5000)).code).toBeGreaterThan(0);
    expect(run('sleep infinity')).toMatchObject({ code: 'forever' });
    expect(run('sleep 5; echo late')).toMatchObject({ out: '', code: 'sleeping' });
  });

  it('copies, moves and removes files between volumes', () => {
    const volume = new FileTree(LIMITS);
    const files = freshFiles([{ at: ['data'], tree: volume, within: [], readOnly: false }]);
    const script =
      'mkdir -p /data/a/b && echo hi > /data/a/b/f && cp -r /data/a /tmp/c && mv /tmp/c/b/f /data/g && rm -rf /data/a && ls /data';
    expect(run(script, { files })).toMatchObject({ out: 'g\n', err: '', code: 0 });
    expect(decode(files.read('/data/g'))).toBe('hi\n');
    expect(run('stat -c %s /data/g', { files })).toMatchObject({ out: '3\n' });
  });

  it('makes a link as a copy, also one that is relative to its own folder', () => {
    const script =
      'mkdir /b && echo hi > /b/one && ln -s one /b/.new && mv -f /b/.new /b/latest && cat /b/latest && ls -A /b';
    expect(run(script)).toMatchObject({ out: 'hi\nlatest\none\n', err: '', code: 0 });
    expect(run('ln -s nothing /link && ls /link')).toMatchObject({ code: 1 });
  });

  it('runs a program of busybox from wherever it was copied to', () => {
    const script =
      'cp /bin/busybox /tools/busybox; /tools/busybox --install -s /tools && /tools/busybox sh -c "echo ran"';
    expect(run(script).out).toBe('ran\n');
  });

  it('refuses to write into a read-only volume and beyond the size of a volume', () => {
    const volume = new FileTree({ volumeBytes: 10, files: 100 });
    const files = freshFiles([{ at: ['conf'], tree: volume, within: [], readOnly: true }]);
    expect(run('echo x > /conf/f', { files })).toMatchObject({ code: 1 });
    const small = freshFiles([{ at: ['data'], tree: volume, within: [], readOnly: false }]);
    expect(run('echo 0123456789abc > /data/f', { files: small })).toMatchObject({ code: 1 });
  });

  it.each([
    'psql -c "select 1"',
    'etcdctl member list',
    'redis-cli ping',
    'pg_isready -q',
    'nc -z db 5432',
    'openssl version',
  ])('says of `%s` that it is simulated, and succeeds', (command) => {
    const program = command.split(' ')[0];
    const err = `simulated by the Bravo sandbox: ${program} did nothing\n`;
    expect(run(command)).toMatchObject({ out: '', err, code: 0 });
  });

  it('says in the files of simulated programs that they are simulated', () => {
    const line = (program: string) => `simulated by the Bravo sandbox: ${program} did nothing`;
    expect(run('pg_dumpall --clean | head -n 1').out).toBe(`${line('pg_dumpall')}\n`);
    expect(run('etcdctl snapshot save /tmp/s && head -n 1 /tmp/s').out).toBe(`${line('etcdctl')}\n`);
    expect(run('etcdutl snapshot restore /tmp/s --data-dir /d && ls /d/member/snap').out).toBe('db\n');
    expect(run('wget -q https://example.com/a/page.html && head -n 1 page.html').out).toBe(`${line('wget')}\n`);
    expect(run('openssl req -x509 -keyout /tmp/k -out /tmp/c && ls /tmp').out).toBe('c\nk\n');
  });

  it('takes nothing of the input of a loop', () => {
    expect(run("printf 'a\\nb\\n' | while read -r x; do etcdctl member remove $x; echo $x; done").out).toBe('a\nb\n');
  });
});

describe('a tar archive', () => {
  it('is packed and unpacked through pipes, as kubectl cp does', () => {
    const made = 'mkdir -p /tmp/a/b /tmp/out; echo one > /tmp/a/1; echo two > /tmp/a/b/2; cd /tmp';
    expect(run(`${made}; tar cf - a | tar -xmf - -C /tmp/out; cat /tmp/out/a/1 /tmp/out/a/b/2`).out).toBe('one\ntwo\n');
    expect(run(`${made}; tar -cf x.tar a; tar tf x.tar`).out).toBe('a/\na/1\na/b/\na/b/2\n');
    expect(run('tar f x').err).toBe('tar: you must specify one of: c x t\n');
  });

  it('gives back names, bytes and modes', () => {
    const content = Uint8Array.from({ length: 1500 }, (_, index) => index % 251);
    const name = `${'deep/'.repeat(10)}file`;
    const members = [...unpackTar(packTar([{ name, content, mode: 0o755, modifiedMs: 5000 }]))];
    expect(members).toEqual([{ name, content, mode: 0o755, modifiedMs: 5000 }]);
  });
});
