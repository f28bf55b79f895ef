import manifest from '../../package.json' with { type: 'json' }

/** The version of the installed package. */
export const packageVersion: string = manifest.version
