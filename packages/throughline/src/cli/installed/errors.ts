import { ThroughlineError } from '../../log/throughline-error.ts'

/** A client's configuration cannot be changed. Nothing was written. */
export class ConfigurationEditError extends ThroughlineError<'CONFIGURATION_EDIT'> {
  static override readonly code = 'CONFIGURATION_EDIT'

  constructor(problem: string, options?: ErrorOptions) {
    super(ConfigurationEditError.code, problem, options)
  }
}
