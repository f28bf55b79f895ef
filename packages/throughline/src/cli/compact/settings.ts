import { storeOptions } from '../store/options.ts'
import { oneOf, usage } from '../parse-arguments.ts'
import { tokenOption } from '../token-option.ts'
import { argument, type OptionSpec, type ParsedArguments } from '../command.ts'

/** What `compact` was asked for. */
export interface CompactSettings {
  session: string
  window: number | undefined
  keep: number | undefined
  focus: string | undefined
  form: Form
  output: string | undefined
  dryRun: boolean
  force: boolean
}

/** How the compacted context is printed. */
type Form = 'text' | 'markdown' | 'ai-sdk' | 'json'

export const compactOptions: readonly OptionSpec[] = [
  {
    name: 'window',
    value: 'TOKENS',
    help: 'The window to fit, such as 32k or 200k. Default: what the session recorded, else that of its model, else 200k.',
  },
  {
    name: 'keep',
    value: 'TOKENS',
    help: 'The most that the compacted context may hold in all, summary and kept messages, by Throughline’s own count and by a quarter of its bytes. Default: 40% of what the window leaves beside the answer, 4k to 20k.',
  },
  { name: 'focus', value: 'TEXT', help: 'What the summary should give most room to.' },
  {
    name: 'format',
    value: 'FORMAT',
    help: 'text (default), markdown, or ai-sdk: a JSON array of model messages.',
  },
  { name: 'json', help: 'Print one JSON object instead: plan, report, summary and messages.' },
  {
    name: 'output',
    short: 'o',
    value: 'FILE',
    help: 'Write to this file instead of standard output: all of it or nothing.',
  },
  { name: 'dry-run', help: 'Print the plan and do nothing.' },
  { name: 'force', help: 'Compact a session that is small enough, too.' },
  ...storeOptions,
]

/** @throws UsageError */
export function compactSettings(parsed: ParsedArguments): CompactSettings {
  const { values, flags } = parsed
  if (flags.has('json') && values.has('format')) {
    throw usage('compact', '--json prints an object of its own: leave out --format')
  }
  if (flags.has('dry-run') && values.has('output')) {
    throw usage('compact', '--dry-run writes no file: leave out -o')
  }
  const format = oneOf('compact', 'format', values.get('format'), ['text', 'markdown', 'ai-sdk'])
  return {
    session: argument(parsed, 'session'),
    window: tokenOption('compact', 'window', values.get('window')),
    keep: tokenOption('compact', 'keep', values.get('keep')),
    focus: values.get('focus'),
    form: flags.has('json') ? 'json' : format,
    output: values.get('output'),
    dryRun: flags.has('dry-run'),
    force: flags.has('force'),
  }
}
