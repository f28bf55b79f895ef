import { storeOptions } from '../../shared-options.ts'
import { oneOf, usage } from '../../parse-arguments.ts'
import { tokenOption } from '../../sizes/token-option.ts'
import { formNames, harnessNames } from '../../written/destination.ts'
import { writtenOptions, writtenSettings, type WrittenSettings } from '../../written/settings.ts'
import { argument, type OptionSpec, type ParsedArguments } from '../../command.ts'

/** The options of `compact` or `handoff`. */
export interface CompactSettings {
  command: 'compact' | 'handoff' | 'resume'
  session: string
  window: number | undefined
  keep: number | undefined
  focus: string | undefined
  form: Form
  /** The session to write instead of printing. */
  written: WrittenSettings | undefined
  output: string | undefined
  dryRun: boolean
  /** Only a session that does not fit is compacted. */
  ifNeeded: boolean
}

/** How to print the compacted context. */
type Form = 'text' | 'markdown' | 'ai-sdk' | 'json'

const sizeOptions: readonly OptionSpec[] = [
  {
    name: 'window',
    value: 'TOKENS',
    help: 'The window to fit, such as 32k or 200k. Default: the one that the session recorded, else its model’s, else 200k.',
  },
  {
    name: 'keep',
    value: 'TOKENS',
    help: 'The most that the compacted context may hold: summary and kept messages together, both in tokens as the model counts them and as bytes / 4. Default: 40% of what the window leaves after the answer, from 4k to 20k.',
  },
  { name: 'focus', value: 'TEXT', help: 'The topic that the summary should cover in most detail.' },
]

const outputOptions: readonly OptionSpec[] = [
  {
    name: 'output',
    short: 'o',
    value: 'FILE',
    help: 'Write to this file instead of standard output: all of it or nothing.',
  },
  { name: 'dry-run', help: 'Print the plan and do nothing.' },
  ...storeOptions,
]

export const compactOptions: readonly OptionSpec[] = [
  ...sizeOptions,
  {
    name: 'format',
    value: 'FORMAT',
    help: 'text (default), markdown, or ai-sdk: a JSON array of model messages.',
  },
  { name: 'json', help: 'Print one JSON object instead: plan, report, summary and messages.' },
  ...writtenOptions(formNames),
  {
    name: 'if-needed',
    help: 'Do the least that makes the session fit its window: nothing, pruning old tool outputs, or a summary.',
  },
  ...outputOptions,
]

/** The options of `handoff`, which has nothing to print but a session. */
export const handoffOptions: readonly OptionSpec[] = [
  ...writtenOptions(harnessNames),
  ...sizeOptions,
  { name: 'compact', help: 'Compact the session even if it fits its window.' },
  { name: 'json', help: 'Print one JSON object with the plan, or with what was installed.' },
  ...outputOptions,
]

/** @throws UsageError */
export function compactSettings(
  command: 'compact' | 'handoff',
  parsed: ParsedArguments,
): CompactSettings {
  const { values, flags } = parsed
  if (flags.has('json') && values.has('format')) {
    throw usage(command, '--json has its own format: omit --format')
  }
  if (flags.has('dry-run') && values.has('output')) {
    throw usage(command, '--dry-run writes no file: omit -o')
  }
  const format = oneOf(command, 'format', values.get('format'), ['text', 'markdown', 'ai-sdk'])
  return {
    command,
    session: argument(parsed, 'session'),
    window: tokenOption(command, 'window', values.get('window')),
    keep: tokenOption(command, 'keep', values.get('keep')),
    focus: values.get('focus'),
    form: flags.has('json') ? 'json' : format,
    written: writtenSettings(command, parsed),
    output: values.get('output'),
    dryRun: flags.has('dry-run'),
    ifNeeded: command === 'compact' ? flags.has('if-needed') : !flags.has('compact'),
  }
}
