import { usage } from '../parse-arguments.ts'
import { destinationNamed, formNames, type Destination } from './destination.ts'
import type { OptionSpec, ParsedArguments } from '../command.ts'

/** The form in which to write a compacted session, and what to do with it. */
export interface WrittenSettings {
  destination: Destination
  install: boolean
  /** The requested directory. */
  directory: string | undefined
  /** Whether calls are converted to the new harness's tools. */
  tools: 'as they are' | 'handed over'
}

export function writtenOptions(names: readonly string[]): readonly OptionSpec[] {
  return [
    {
      name: 'to',
      value: 'FORM',
      help: `Write the result as a new session in this form: ${names.join(', ')}.`,
    },
    {
      name: 'install',
      help: 'Put that session where its harness finds it, and print the command that resumes it. No session that already exists is changed.',
    },
    {
      name: 'directory',
      value: 'DIR',
      help: 'The directory in which that session continues. Default: the session’s own directory if it exists here, else the working directory.',
    },
  ]
}

/**
 * `undefined` if `--to` is missing.
 * @throws UsageError
 */
export function writtenSettings(
  command: string,
  { values, flags }: ParsedArguments,
): WrittenSettings | undefined {
  const to = values.get('to')
  const directory = values.get('directory')
  const install = flags.has('install')
  if (to === undefined)
    return withoutForm(command, install ? '--install' : directory && '--directory')
  const destination = destinationNamed(command, '--to', to, formNames)
  const refuse = (message: string): never => {
    throw usage(command, message)
  }
  if (install && !destination.harness) {
    refuse(
      `--install is for harnesses; messages in the form of ${to} are kept by the program that sends them`,
    )
  }
  if (install && values.has('output')) refuse('--install chooses the file itself: omit -o')
  if (values.has('format')) refuse('--to has its own format: omit --format')
  if (flags.has('json') && !install && !flags.has('dry-run')) {
    refuse('--to prints the session itself: --json only works with --install or --dry-run')
  }
  return { destination, install, directory, tools: 'as they are' }
}

/** Options that only make sense with `--to`. */
function withoutForm(command: string, option: string | undefined): undefined {
  if (option)
    throw usage(command, `${option} needs --to: name the harness that continues the session`)
}
