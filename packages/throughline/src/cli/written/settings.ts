import { usage } from '../parse-arguments.ts'
import { destinationNamed, formNames, harnessNames, type Destination } from './destination.ts'
import type { OptionSpec, ParsedArguments } from '../command.ts'

/** The form in which a compacted session is written, and what becomes of it. */
export interface WrittenSettings {
  destination: Destination
  install: boolean
  /** The directory that was asked for. */
  directory: string | undefined
  /** Whether calls become those of the new harness's tools. */
  tools: 'as they are' | 'handed over'
}

export function writtenOptions(names: readonly string[]): readonly OptionSpec[] {
  return [
    { name: 'to', value: 'FORM', help: `Write it as a session of its own: ${names.join(', ')}.` },
    {
      name: 'install',
      help: 'Put that session where its harness finds it, and print the command that goes on from it. Nothing that is there is changed.',
    },
    {
      name: 'directory',
      value: 'DIR',
      help: 'The directory in which that session goes on. Default: its own, if there is one of that name here, else the working directory.',
    },
  ]
}

/**
 * `undefined` where `--to` is not given.
 * @throws UsageError
 */
export function writtenSettings(
  command: 'compact' | 'handoff',
  { values, flags }: ParsedArguments,
): WrittenSettings | undefined {
  const to = values.get('to')
  const directory = values.get('directory')
  const install = flags.has('install')
  if (to === undefined)
    return withoutForm(command, install ? '--install' : directory && '--directory')
  const isHandoff = command === 'handoff'
  const destination = destinationNamed(command, to, isHandoff ? harnessNames : formNames)
  const refuse = (message: string): never => {
    throw usage(command, message)
  }
  if (install && !destination.harness) {
    refuse(
      `--install is for harnesses; messages in the form of ${to} are kept by whoever sends them`,
    )
  }
  if (install && values.has('output')) refuse('--install finds a place itself: leave out -o')
  if (values.has('format')) refuse('--to writes a form of its own: leave out --format')
  if (flags.has('json') && !install && !flags.has('dry-run')) {
    refuse('--to prints the session itself: --json goes with --install or --dry-run')
  }
  return { destination, install, directory, tools: isHandoff ? 'handed over' : 'as they are' }
}

/** What makes sense with `--to` alone. */
function withoutForm(command: string, option: string | undefined): undefined {
  if (command === 'handoff') {
    throw usage(
      command,
      `--to is missing: name the harness that goes on, ${harnessNames.join(', ')}`,
    )
  }
  if (option) throw usage(command, `${option} needs --to: name the harness that goes on`)
}
