// The only place of the command line that reads the environment.

/** Every variable, unchanged. Options read `ORRERY_<NAME>` from it; the processes read theirs. */
export const environment: Readonly<Record<string, string | undefined>> = process.env

/** https://no-color.org: any value that is not empty disables colour. */
export const isColourWanted = !environment.NO_COLOR
