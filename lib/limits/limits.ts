/** Every limit on input from outside, in one place. Units are in the names. */
export const limits = {
  /** A request body at the sandbox, the proxy and the routes (kube-apiserver: 3 MiB since CVE-2019-11253). */
  requestBodyBytes: 3 * 1024 * 1024,
  /** One object in the sandbox's store (etcd's default request limit). */
  objectBytes: 1.5 * 1024 * 1024,
  /** All annotations of an object together (Kubernetes ValidateAnnotations). */
  annotationsBytes: 256 * 1024,
  /** Nesting of JSON and YAML. */
  depth: 100,
  /** The largest number of replicas that the console's dialog accepts, so that a slip of the finger starts no million pods. */
  replicas: 10_000,
  /** Pods of one Node that a drain reads: the kubelet runs a few hundred at most. */
  podsOfNode: 1_000,
  /** Pods of a cluster whose requests are added up for one answer about its capacity. */
  capacityPods: 5_000,
  /** Objects that one action of a list changes, how many at once, and of how many of them the console looks up what manages them and what goes with them. */
  bulk: { objects: 1_000, atOnce: 4, examined: 100 },
  /** Names of objects that the palette searches: of one kind, and of all kinds together. */
  names: { ofKind: 500, inAll: 10_000 },
  /** Operations of one JSON patch (kube-apiserver since CVE-2019-1002100). */
  jsonPatchOperations: 10_000,
  /** YAML text. */
  yamlBytes: 8 * 1024 * 1024,
  /** Aliases expanded in one YAML document. */
  yamlAliases: 100,
  /** A package archive, packed and unpacked, what is kept of it (the files that are read, charts in charts too), and the number of its files. */
  packageArchiveBytes: 20 * 1024 * 1024,
  packageUnpackedBytes: 50 * 1024 * 1024,
  packageReadBytes: 12 * 1024 * 1024,
  packageFiles: 2_000,
  packageFileBytes: 4 * 1024 * 1024,
  /** A package in the workshop, which verifies and renders all of it after each keystroke: files, characters of one and of all, bytes of a path and of an archive that is opened; drafts of one account; and the request that installs one. */
  workshop: {
    files: 500,
    fileChars: 512 * 1024,
    chars: 2 * 1024 * 1024,
    pathBytes: 100,
    unpackedBytes: 16 * 1024 * 1024,
    drafts: 50,
    bodyBytes: 8 * 1024 * 1024,
  },
  /** The form of an object: levels, fields or items of one part that are shown at once, fields that a search lists, and fields of a schema that is searched. */
  forms: { depth: 32, shownMembers: 200, found: 40, schemaFields: 5_000 },
  /** The README of a package; a larger one is not shown. */
  readmeBytes: 256 * 1024,
  /** Groups and versions without an answer that the page Resources names. */
  unavailableVersions: 20,
  /** Patches of an operator: how many, and all of them as JSON. Packages that extend packages: how many levels. */
  objectPatches: 64,
  objectPatchesChars: 64 * 1024,
  extendsDepth: 5,
  /** A Helm chart that is converted: charts in charts, calls of `tpl` in one rendering and the steps of each, values that become parameters. */
  chartDepth: 4,
  chartTplCalls: 200,
  chartTplSteps: 20_000,
  chartParameters: 1_000,
  /** Evaluation steps of one template of a chart, definitions that one file may include, and their text with it, in characters. */
  chartSteps: 50_000,
  chartInlines: 1_000,
  chartInlinedChars: 1024 * 1024,
  /** The index of a repository; a download of an index or a package: redirects, and time in all. */
  repositoryIndexBytes: 8 * 1024 * 1024,
  /** What an entry of an index says about upgrades: its channels, the text of a range, its advisories, and the length of their texts. Public keys of a subscription. */
  index: {
    channels: 20,
    channelChars: 63,
    rangeChars: 200,
    advisories: 50,
    textChars: 1_000,
    keys: 10,
    keyChars: 4_096,
  },
  /** One OperatorUpgrade: its Instances, the versions of its path, its values. */
  upgrades: { instances: 500, steps: 20, parameters: 100 },
  downloadRedirects: 5,
  downloadDeadlineMs: 60_000,
  /** OCI registries: a manifest or another JSON answer, entries of one list in it, the config of a package, tags of one repository, repositories, requests at once; time of a credential helper and its output. */
  oci: {
    manifestBytes: 4 * 1024 * 1024,
    configBytes: 1024 * 1024,
    descriptors: 1_000,
    tags: 2_000,
    pages: 50,
    repositories: 1_000,
    atOnce: 8,
    tokenBytes: 64 * 1024,
    helperMs: 10_000,
    helperBytes: 64 * 1024,
    credentialsFileBytes: 1024 * 1024,
  },
  /** What is attached to a package: its signatures (of how many), provenance, SBOM, each. */
  attachments: { bytes: 4 * 1024 * 1024, perPackage: 50, signatures: 50, payloadBytes: 16 * 1024 },
  /** Records of runs: of one plan of one Instance, their age, their time after the Instance, the size of all of them. */
  planRuns: { perPlan: 20, days: 90, daysAfterInstance: 7, bytes: 200 * 1024 * 1024 },
  /** A snapshot of a run that is checked: its record may be 64 MiB when it is unpacked. */
  snapshotBytes: 128 * 1024 * 1024,
  /** A file with a public key. */
  publicKeyBytes: 16 * 1024,
  /** One event of a watch, as a line. */
  watchEventBytes: 8 * 1024 * 1024,
  /** Template output: a document, and all documents of a task. */
  templateDocumentBytes: 1024 * 1024,
  templateTaskBytes: 4 * 1024 * 1024,
  /** Evaluation steps and depth of one template. */
  templateSteps: 1_000_000,
  templateDepth: 100,
  /** Nesting of blocks and parentheses in a template's text. */
  templateParseDepth: 500,
  /** Bytes that the functions of one render may allocate in total, and the nesting of values that are printed or encoded. */
  templateAllocationBytes: 32 * 1024 * 1024,
  templateValueDepth: 200,
  templateWallMs: 2_000,
  /** Bytes queued for one slow stream before it has to restart with a snapshot. */
  streamQueueBytes: 1024 * 1024,
  /** Deadlines of calls to a Kubernetes API. */
  readDeadlineMs: 15_000,
  writeDeadlineMs: 30_000,
  listDeadlineMs: 60_000,
  /** A watch is reopened after this time, plus or minus the jitter, even if it is active. */
  watchLifeMs: 60_000,
  watchLifeJitterMs: 10_000,
  /** One command in a simulated container: steps of work, bytes of output, bytes of one file. */
  shellSteps: 100_000,
  shellOutputBytes: 32 * 1024 * 1024,
  shellFileBytes: 16 * 1024 * 1024,
  /** All variables of a shell, or all words of one command, in characters; and the number of words. */
  shellTextChars: 4 * 1024 * 1024,
  shellWords: 50_000,
  /** One simulated volume: bytes and files. */
  volumeBytes: 64 * 1024 * 1024,
  volumeFiles: 10_000,
  /** The kept log of one container: bytes and lines. */
  containerLogBytes: 512 * 1024,
  containerLogLines: 4_000,
  /** One CEL rule of a CustomResourceDefinition, and one text parsed as a quantity. */
  celRuleChars: 64 * 1024,
  quantityChars: 256,
  /** An API server behind a Service of the sandbox: time to connect, to say what it serves, and to begin an answer; size of what it serves, and resources in it. */
  aggregation: {
    connectMs: 10_000,
    discoveryMs: 5_000,
    answerMs: 60_000,
    discoveryBytes: 4 * 1024 * 1024,
    resources: 1_000,
  },
  /** An AdmissionReview: the stored and the sent object, and a little; its headers; the time for an answer. */
  reviewBytes: 7 * 1024 * 1024,
  reviewHeaderBytes: 16 * 1024,
  reviewDeadlineMs: 5_000,
  reviewConnections: 500,
  /** Declared health checks of an operator: how many, all of them as JSON, the words of one command. */
  healthChecks: 10,
  healthChecksChars: 32 * 1024,
  healthCommandWords: 32,
  /** One run of a health check: output or body, characters shown, pods; and the requests of all checks at once. */
  healthOutputBytes: 16 * 1024,
  healthTextChars: 200,
  healthPods: 32,
  healthRequestsAtOnce: 16,
  /** Kinds that an operator brings: how many, and all of them as JSON with their schemas. */
  ownKinds: 10,
  ownKindsChars: 128 * 1024,
  /** CRDs that an install takes over from others. */
  adoptedCrds: 100,
  /** What a controller remembers of the objects that its plans applied, as JSON (about a third of it for 1,000 Instances of six small objects). */
  writtenObjectsChars: 32 * 1024 * 1024,
  /** A status message. */
  messageBytes: 1024,
  /** What a plan says beside its phases: entries of each of its lists, one text, one CEL expression, and all plans as JSON. */
  planMetadataEntries: 16,
  planMetadataTextChars: 1024,
  planExpressionChars: 4096,
  planMetadataBytes: 64 * 1024,
  /** One object that templates read, as JSON; reads and rules of one task; and what all tasks say as JSON. */
  liveObjectChars: 256 * 1024,
  liveValuesEntries: 16,
  liveValuesBytes: 64 * 1024,
  /** Objects of a plan that its dialog compares with the cluster. */
  previewObjects: 200,
  /** Objects of these for which the API server is asked for a dry run, and the texts of all of them together. */
  previewDryRuns: 50,
  previewChars: 1_000_000,
  /** What one ConfigMap or Secret says about notices: notices, problems that are shown, characters of one key, entries of one list. */
  notices: {
    perObject: 32,
    problems: 10,
    textChars: 64 * 1024,
    listEntries: 32,
    urlChars: 2_048,
    leastKeyChars: 16,
    /** Receivers that are told of one result of one run. */
    perResult: 32,
    /** Notices that wait for one receiver; the oldest one goes when there are more. */
    queue: 100,
    bodyBytes: 32 * 1024,
    /** Requests at once, the time for each, and how long a notice is tried. */
    atOnce: 8,
    deadlineMs: 10_000,
    triedForMs: 24 * 3_600_000,
  },
  /**
   * Terminals in containers: of one person and of all, bytes of one frame from the browser, words and characters of a command, columns and rows;
   * time without input; how often session and right are checked; one recording.
   */
  terminal: {
    perPerson: 5,
    inAll: 100,
    frameBytes: 64 * 1024,
    commandWords: 32,
    commandChars: 4_096,
    cells: 1_000,
    idleMs: 30 * 60_000,
    sessionCheckMs: 5_000,
    rightCheckMs: 30_000,
    recordingBytes: 16 * 1024 * 1024,
  },
  /** Usage: meters of an operator, characters of a value; of one namespace lives under way, months and remembered uids that are kept; series. */
  usage: { meters: 10, valueChars: 256, openLives: 3_000, months: 24, endedLives: 200, series: 500 },
  /** One archive of diagnostics: all files together, their number, the end of one log, records of runs. */
  diagnostics: { bytes: 64 * 1024 * 1024, files: 5_000, logBytes: 2 * 1024 * 1024, records: 20 },
  /** The tree of an Instance: owners whose children are looked for in one request, and characters of a uid. */
  tree: { owners: 50, uidChars: 64 },
  /** Test suites: entries of a folder, output of a command that is logged, and one line of it. */
  harness: { filesPerFolder: 2_000, outputBytes: 4 * 1024 * 1024, lineChars: 64 * 1024 },
} as const;
