/** The verb on instances.kudo.dev that a start of a plan marked `destructive` takes, beside the right to patch the Instance. */
export const DESTROY_VERB = 'destroy';
/** The ClusterRole that has it. */
export const ADMIN_ROLE = 'bravo-admin';
