// The only place of the command line that reads the environment.

/** Every variable as it stands. Options read `ORRERY_<NAME>` from it; the processes read theirs. */
export const environment: Readonly<Record<string, string | undefined>> = process.env

/** https://no-color.org: set to anything but nothing, it means no colour. */
export const isColourWanted = !environment.NO_COLOR
