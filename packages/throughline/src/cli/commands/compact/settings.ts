import { storeOptions } from '../../shared-options.ts'
import { oneOf, usage } from '../../parse-arguments.ts'
import { tokenOption } from '../../sizes/window-choice.ts'
import { writtenOptions, writtenSettings } from '../../written/handover.ts'
import { chosenModel, type ChosenModel, providerNames } from './model/chosen-model.ts'
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
  model?: ChosenModel
}

/** How to print the compacted context. */
type Form = 'text' | 'markdown' | 'ai-sdk' | 'json'

export const compactOptions: Options = {
  '--window TOKENS':
    'The window to fit, such as 32k or 200k. Default: the one that the session recorded, else its model’s, else 200k; for another client, at most 200k.',
  '--keep TOKENS':
    'The largest size of the compacted context: summary and kept messages together, whether counted as the model counts tokens or as bytes / 4. Default: 40% of the window minus the room for the answer, but at least 4k and at most 20k.',
  '--focus TEXT': 'The topic that the summary should cover in most detail.',
  '--model PROVIDER/MODEL': `Ask a model for the summary, such as anthropic/claude-haiku-4-5 or ollama/qwen3; its cost is shown before and after. Providers: ${providerNames.join(', ')}, and those of the AI SDK. The key is taken from the environment, as in OPENAI_API_KEY.`,
  '--base-url URL':
    'Ask a server of your own that speaks OpenAI’s API, such as http://127.0.0.1:8080/v1.',
  '--format FORMAT': 'text (default), markdown, or ai-sdk: a JSON array of model messages.',
  '--json': 'Print one JSON object instead: plan, report, summary and messages.',
  ...writtenOptions,
  '--if-needed':
    'Do the least that makes the session fit its window: nothing, pruning old tool outputs, or a summary.',
  '-o, --output FILE': 'Write to this file instead of standard output: all of it or nothing.',
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
  return {
    ...(model && { model }),
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
