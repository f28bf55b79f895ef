import { ThroughlineError } from '../../log/throughline-error.ts'

/** Why a session was not put where its harness finds it. */
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
  /** What the system, or the harness's own program, said. */
  reason?: string
  cause?: unknown
}

/** A session could not be given to its harness. Nothing that was there has changed. */
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
    `where ${harness} keeps its sessions is not known: no home directory is set. Set HOME, or write the session to a file.`,
  outside: ({ harness, file }) =>
    `${harness} would keep the session outside its own folder (${file}). Name another directory.`,
  exists: ({ file }) => `${file} is there already and was left as it is. Try again.`,
  'too-long': ({ harness }) =>
    `${harness} calls the folder of a session by the path of its directory, and this one is too long for that: ${harness} could keep no session of its own there either. Name another directory.`,
  'not-written': ({ file, reason }) =>
    `${file} cannot be written (${reason}), and nothing is there. Look at the permissions and the space of its folder.`,
  refused: ({ harness, reason }) =>
    `${harness} did not take the session: ${reason}. A part of it may be there; delete that in ${harness}.`,
}
