import { ThroughlineError } from '../../log/throughline-error.ts'

/** Why a session could not be installed. */
export type InstallFailure =
  | 'no-home'
  | 'outside'
  | 'exists'
  | 'too-long'
  | 'not-written'
  | 'refused'

interface InstallErrorOptions {
  /** The name of the harness. */
  harness: string
  failure: InstallFailure
  file?: string
  /** The message of the system or of the harness's own program. */
  reason?: string
  cause?: unknown
}

/** A session could not be installed in its harness. Nothing that existed has changed. */
export class InstallError extends ThroughlineError<'INSTALL'> {
  static override readonly code = 'INSTALL'

  readonly harness: string
  readonly failure: InstallFailure

  constructor({ harness, failure, file = '', reason = '', cause }: InstallErrorOptions) {
    super(InstallError.code, messages[failure]({ harness, file, reason }), { cause })
    this.harness = harness
    this.failure = failure
  }
}

interface Told {
  harness: string
  file: string
  reason: string
}

const messages: Readonly<Record<InstallFailure, (told: Told) => string>> = {
  'no-home': ({ harness }) =>
    `it is not known where ${harness} keeps its sessions, because no home directory is set. Set HOME, or write the session to a file.`,
  outside: ({ harness, file }) =>
    `${harness} would keep the session outside its own folder (${file}). Name another directory.`,
  exists: ({ file }) => `${file} already exists and was not changed. Try again.`,
  'too-long': ({ harness }) =>
    `${harness} names a session’s folder after the path of its directory, and this path is too long: ${harness} itself could not keep a session there. Name another directory.`,
  'not-written': ({ file, reason }) =>
    `${file} cannot be written (${reason}), and nothing was left there. Check the permissions and the free space of its folder.`,
  refused: ({ harness, reason }) =>
    `${harness} did not accept the session: ${reason}. Parts of it may remain; delete them in ${harness}.`,
}
