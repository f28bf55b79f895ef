import { storeOptions } from '../../shared-options.ts'
import { oneOf, usage } from '../../parse-arguments.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { writtenOptions, writtenSettings } from '../../written/handover.ts'
import { chosenModel, type ChosenModel, providerNames } from './model/chosen-model.ts'
import { parseRef } from '../../../log/ref.ts'
import { bareRef, seqIn } from '../../store/seqs.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Stretch } from '../../../session/once/compact-stretch.ts'
import type { Io } from '../../io.ts'
import { argument, type Options, type ParsedArguments } from '../../command.ts'

export interface CompactSettings {
  command: 'compact' | 'resume'
  session: string
  window: number | undefined
  keep: number | undefined
  focus: string | undefined
  form: Form
  /** The session to write instead of printing. */
  written: ReturnType<typeof writtenSettings>
  output: string | undefined
  dryRun: boolean
  /** Only a session that does not fit is compacted. */
  ifNeeded: boolean
  /** Only these entries become a summary. */
  stretch?: Stretch
  model?: ChosenModel
  /** What is done with the result before it is used, or instead. */
  first?: 'preview' | 'edit' | 'copy'
}

/** How to print the compacted context. */
type Form = 'text' | 'markdown' | 'ai-sdk' | 'json'

export const compactOptions: Options = {
  '--window TOKENS':
    'The window to fit, such as 32k or 200k. Default: the one that the session recorded, else its model’s, else 200k; for another client, at most 200k.',
  '--keep TOKENS':
    'The largest size of the compacted context: summary and kept messages together, whether counted as the model counts tokens or as bytes / 4. Default: 40% of the window minus the room for the answer, but at least 4k and at most 20k.',
  '--focus TEXT': 'The topic that the summary should cover in most detail.',
  '--from REF':
    'With --through: the first entry to summarize. All entries outside the range stay word for word.',
  '--through REF': 'With --from: the last entry to summarize.',
  '--model PROVIDER/MODEL': `Ask a model for the summary, such as anthropic/claude-haiku-4-5 or ollama/qwen3; its cost is shown before and after. Providers: ${providerNames.join(', ')}, and those of the AI SDK. The key is taken from the environment, as in OPENAI_API_KEY.`,
  '--base-url URL':
    'Ask a server of your own that speaks OpenAI’s API, such as http://127.0.0.1:8080/v1.',
  '--preview': 'Show the plan and the summary; in a terminal, ask before the summary is used.',
  '--edit':
    'Open the summary in your editor ($VISUAL or $EDITOR) before it is used. The edited summary is checked again.',
  '--copy': 'Put the result on the clipboard, with a few lines that tell a model what it is.',
  '--format FORMAT': 'text (default), markdown, or ai-sdk: a JSON array of model messages.',
  '--json': 'Print one JSON object instead: plan, report, summary and messages.',
  ...writtenOptions,
  '--if-needed':
    'Do the least that makes the session fit its window: nothing, pruning old tool outputs, or a summary.',
  '-o, --output FILE':
    'Write to this file instead of standard output: all of it or nothing. In a directory, the file has the session’s name.',
  '--dry-run': 'Print the plan and do nothing.',
  ...storeOptions,
}

/** @throws UsageError */
export function compactSettings(parsed: ParsedArguments, env: Io['env']): CompactSettings {
  const { values, flags } = parsed
  if (flags.has('json') && values.has('format')) {
    throw usage('compact', '--json has its own format: omit --format')
  }
  if (flags.has('dry-run') && values.has('output')) {
    throw usage('compact', '--dry-run writes no file: omit -o')
  }
  const format = oneOf('compact', 'format', values.get('format'), ['text', 'markdown', 'ai-sdk'])
  const model = chosenModel('compact', values, env)
  const stretch = stretchIn(values)
  const first = firstIn(parsed)
  if (stretch && flags.has('if-needed')) {
    throw usage('compact', '--from and --through name what is compacted: omit --if-needed')
  }
  return {
    ...(model && { model }),
    ...(stretch && { stretch }),
    ...(first && { first }),
    command: 'compact',
    session: argument(parsed, 'session'),
    window: tokenOption('compact', 'window', values.get('window')),
    keep: tokenOption('compact', 'keep', values.get('keep')),
    focus: values.get('focus'),
    form: flags.has('json') ? 'json' : format,
    written: writtenSettings('compact', parsed),
    output: values.get('output'),
    dryRun: flags.has('dry-run'),
    ifNeeded: flags.has('if-needed'),
  }
}

/** @throws UsageError */
function stretchIn(values: ReadonlyMap<string, string>): Stretch | undefined {
  const [from, through] = [values.get('from'), values.get('through')]
  if (from === undefined && through === undefined) return undefined
  if (from === undefined || through === undefined) {
    throw usage('compact', '--from and --through belong together: give both')
  }
  const stretch = { from: seqOf('from', from), through: seqOf('through', through) }
  if (stretch.from > stretch.through) throw usage('compact', '--from must not come after --through')
  return stretch
}

function seqOf(option: string, text: string): Seq {
  const ref = parseRef(bareRef(text))
  return ref ? ref.seq : seqIn('compact', `--${option}`, text)
}

/** @throws UsageError */
function firstIn({ values, flags }: ParsedArguments): CompactSettings['first'] {
  const asked = (['preview', 'edit', 'copy'] as const).filter((name) => flags.has(name))
  const [first, other] = asked
  if (!first) return undefined
  if (other) throw usage('compact', `--${first} and --${other} are two things: use only one`)
  if (flags.has('dry-run')) throw usage('compact', `--dry-run does nothing: omit --${first}`)
  if (first === 'preview' && (flags.has('json') || values.has('output'))) {
    throw usage('compact', '--preview shows the summary to a reader: omit --json and -o')
  }
  if (first === 'copy' && (values.has('to') || values.has('output') || flags.has('json'))) {
    throw usage('compact', '--copy copies text or Markdown: omit --to, -o and --json')
  }
  return first
}
