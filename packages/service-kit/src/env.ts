// The environment of a build.

/** ORRERY_COMMIT: the commit that an image was built from; empty when it is not set. */
export function commitOfBuild(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.ORRERY_COMMIT ?? ''
}
