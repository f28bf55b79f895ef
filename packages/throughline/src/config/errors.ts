import { ThroughlineError } from '../log/throughline-error.ts'

/** A configuration that can't be read or is invalid. */
export class ConfigError extends ThroughlineError<'CONFIG'> {
  static override readonly code = 'CONFIG'

  readonly file: string
  /** The key with the problem, such as `policy.keep`; `undefined` for the whole file. */
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

export interface ConfigFile {
  path: string
  /** Its path as messages show it: relative to the working directory. */
  shown: string
}
