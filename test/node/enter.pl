# enter.pl: runs a command beside the program of a container, like `runc exec`, for a tenth of the processor time. Perl is part of every
# Debian, and goes on after it has left the files of this machine; nsenter cannot set groups and capabilities, and setpriv would have to be
# a file of the container.
#
#   enter.pl NUMBERS PID CGROUP UID GID GROUPS UMASK CAPABILITIES NO_NEW_PRIVILEGES STDIN CWD VARIABLES NAME=VALUE… COMMAND…
#
# NUMBERS are those of the system calls setns, prctl, capset, setgroups, setresuid, setresgid, setsid and keyctl, with commas. PID is the
# first process of the container, and CGROUP the end of the path of its control groups. GROUPS have commas between them, CAPABILITIES is a
# mask in hexadecimal, STDIN is 1 when there is input, and VARIABLES is how many variables follow. The exit code is that of the command,
# 128 and more for one that a signal ended, and 255 when it could not be started. SIGTERM kills the command.
use strict;

my ($numbers, $pid, $cgroup, $uid, $gid, $groups, $umask, $capabilities, $no_new_privileges, $has_stdin, $cwd, $variables) = splice @ARGV, 0, 12;
my ($SETNS, $PRCTL, $CAPSET, $SETGROUPS, $SETRESUID, $SETRESGID, $SETSID, $KEYCTL) = map { $_ + 0 } split /,/, $numbers;
my @environment = splice @ARGV, 0, $variables;
my ($PR_SET_KEEPCAPS, $PR_CAPBSET_DROP, $PR_SET_NO_NEW_PRIVS) = (8, 24, 38);
my ($CAPABILITY_VERSION, $KEYCTL_JOIN_SESSION_KEYRING) = (0x20080522, 1);
# The same number on every machine.
my ($CLOSE_RANGE, $CLOSE_RANGE_CLOEXEC) = (436, 4);

my $child;
$SIG{TERM} = sub { kill 'KILL', $child if $child; exit 137 };

sub fail { syswrite STDERR, "exec failed: $_[0]\n"; exit 255 }

# The control groups of the container: one file for each hierarchy.
open my $list, '<', "/proc/$pid/cgroup" or fail('the container has ended');
my @joined;
while (<$list>) {
  my ($id, $controllers, $path) = /^(\d+):([^:]*):(.*)$/ or next;
  # The number of a process that has ended may be given to another one.
  fail('the container has ended') if substr($path, -length $cgroup) ne $cgroup;
  $controllers =~ s/^name=//;
  my $root = $id > 0 ? "/sys/fs/cgroup/$controllers" : -d '/sys/fs/cgroup/unified' ? '/sys/fs/cgroup/unified' : '/sys/fs/cgroup';
  push @joined, "$root$path/cgroup.procs";
}
my %namespaces;
for my $kind (qw(ipc uts net pid mnt)) {
  open $namespaces{$kind}, '<', "/proc/$pid/ns/$kind" or fail("the container has ended");
}
sub enter { syscall($SETNS, fileno $namespaces{$_[0]}, 0) == 0 or fail("setns $_[0]: $!") }

# Pipes, as a container's program has: it may open /dev/stdout again, which a socket of the caller does not allow.
pipe my $in, my $to_in;
pipe my $from_out, my $out;
pipe my $from_err, my $err;
feed() if $has_stdin;
# This process stays where it is; what it starts from now on is a process of the container.
enter('pid');
$child = fork // fail("fork: $!");
run() if $child == 0;
close $_ for $in, $to_in, $out, $err;
copy();
waitpid $child, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);

# The command: control groups and namespaces first, then the rights are given up, as runc does it.
sub run {
  $SIG{TERM} = 'DEFAULT';
  for my $file (@joined) {
    open(my $processes, '>', $file) or fail("$file: $!");
    syswrite($processes, '0') or fail("$file: $!");
  }
  open STDIN, '<&', $in;
  open STDOUT, '>&', $out;
  open STDERR, '>&', $err;
  close $_ for $in, $to_in, $from_out, $out, $from_err, $err;
  enter($_) for qw(ipc uts net mnt);
  syscall $SETSID;
  my $ring = '_ses' . $cgroup =~ s{^.*/}{.}r;
  # A kernel may have no keyrings.
  syscall $KEYCTL, $KEYCTL_JOIN_SESSION_KEYRING, $ring;
  %ENV = map { split /=/, $_, 2 } @environment;
  $ENV{HOME} = home() if ($ENV{HOME} // '') eq '';
  chown $uid, -1, $_ for \*STDIN, \*STDOUT, \*STDERR;
  umask oct $umask;
  syscall $CLOSE_RANGE, 3, 0x7fffffff, $CLOSE_RANGE_CLOEXEC;
  my $entered = chdir $cwd;
  restrict();
  $entered or chdir $cwd or fail("chdir to cwd (\"$cwd\"): $!");
  my $program = found($ARGV[0]) // fail("exec: \"$ARGV[0]\": executable file not found in \$PATH");
  exec { $program } @ARGV;
  fail("exec $program: $!");
}

sub restrict {
  my @wanted = map { hex } substr($capabilities, 8), substr($capabilities, 0, 8);
  for my $number (0 .. last_capability()) {
    next if $wanted[$number >> 5] >> ($number & 31) & 1;
    syscall($PRCTL, $PR_CAPBSET_DROP, $number, 0, 0, 0) == 0 or fail("capability $number: $!");
  }
  syscall $PRCTL, $PR_SET_KEEPCAPS, 1, 0, 0, 0;
  my @groups = split /,/, $groups;
  syscall($SETGROUPS, scalar @groups, pack 'L*', @groups) == 0 or fail("setgroups: $!");
  syscall($SETRESGID, $gid + 0, $gid + 0, $gid + 0) == 0 or fail("setgid: $!");
  syscall($SETRESUID, $uid + 0, $uid + 0, $uid + 0) == 0 or fail("setuid: $!");
  syscall $PRCTL, $PR_SET_KEEPCAPS, 0, 0, 0, 0;
  my $sets = pack 'L6', map { ($_, $_, 0) } @wanted;
  syscall($CAPSET, pack('LL', $CAPABILITY_VERSION, 0), $sets) == 0 or fail("capset: $!");
  return if not $no_new_privileges;
  syscall($PRCTL, $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 or fail("no_new_privs: $!");
}

sub last_capability {
  open my $file, '<', '/proc/sys/kernel/cap_last_cap' or fail("cap_last_cap: $!");
  return <$file> + 0;
}

# The user's folder as the container knows it.
sub home {
  open my $users, '<', '/etc/passwd' or return '/';
  while (<$users>) {
    chomp;
    my @fields = split /:/;
    return $fields[5] if $fields[2] eq $uid;
  }
  return '/';
}

sub found {
  my ($name) = @_;
  return $name if $name =~ m{/};
  for my $folder (split /:/, $ENV{PATH}) {
    my $path = ($folder || '.') . "/$name";
    return $path if -x $path and not -d _;
  }
  return undef;
}

# Input is copied by a process of its own, so that output goes on while the command does not read.
sub feed {
  my $feeder = fork // fail("fork: $!");
  return if $feeder != 0;
  $SIG{TERM} = 'DEFAULT';
  close $_ for $in, $from_out, $out, $from_err, $err, \*STDOUT, \*STDERR;
  while (sysread STDIN, my $chunk, 65536) { syswrite $to_in, $chunk or last }
  exit 0;
}

sub copy {
  my %open = (fileno($from_out) => [$from_out, \*STDOUT], fileno($from_err) => [$from_err, \*STDERR]);
  while (%open) {
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %open;
    next if select($bits, undef, undef, undef) < 1;
    for my $number (keys %open) {
      next if not vec $bits, $number, 1;
      my ($from, $to) = @{$open{$number}};
      if (not sysread $from, my $chunk, 65536) { delete $open{$number} }
      else { for (my $done = 0; $done < length $chunk;) { $done += syswrite($to, $chunk, length($chunk) - $done, $done) // last } }
    }
  }
}
