import { ThroughlineError } from '../log/throughline-error.ts'

/** A configuration that cannot be read, or says what it may not say. */
export class ConfigError extends ThroughlineError<'CONFIG'> {
  static override readonly code = 'CONFIG'

  /** Where it stands. */
  readonly file: string
  /** What in it, such as `policy.keep`; `undefined` for all of it. */
  readonly key: string | undefined

  constructor(
    message: string,
    { file, key, cause }: { file: ConfigFile; key?: string; cause?: unknown },
  ) {
    super(ConfigError.code, `${file.shown}: ${message}`, cause === undefined ? {} : { cause })
    this.file = file.path
    this.key = key
  }
}

/** A configuration file, or where one is looked for. */
export interface ConfigFile {
  path: string
  /** Its path as messages show it, from where the user stands. */
  shown: string
}
