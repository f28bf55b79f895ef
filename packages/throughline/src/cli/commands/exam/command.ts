import { providerNames } from '../compact/model/chosen-model.ts'
import { runExam } from './run.ts'
import { jsonOption, sessionArgument, storeOptions, yesOption } from '../../shared-options.ts'
import type { Command } from '../../command.ts'

export const examCommand: Command = {
  name: 'exam',
  description: [
    'Measures on a session of your own what a context still knows. The session is cut where its client compacted it last, or in its middle. Contexts of the beginning are made by Throughline, by the client’s own compaction where the session holds it, and by keeping the newest messages alone. Then the command looks at the steps that really followed.',
    'Without --model, code decides: what the human said word for word, the changed files, and the names that the next 40 calls needed. Nothing is sent anywhere.',
    'With --model, that model also writes questions from the beginning and the steps that followed, answers them from each context, and grades the answers without knowing which context they come from. Its cost is told before, and asked for. Questions, answers and grades are written to a file after each request. If the exam is interrupted, the same command goes on from there. A file that holds anything else is not overwritten.',
  ],
  arguments: [sessionArgument],
  options: {
    '--keep TOKENS':
      'The size of the contexts, as bytes / 4. Default: that of the client’s own context, else 8k.',
    '--at ENTRY': 'Cut after this entry instead.',
    '--model PROVIDER/MODEL': `The model that examines, such as anthropic/claude-haiku-4-5 or ollama/qwen3. Providers: ${providerNames.join(', ')}, and those of the AI SDK. The key is taken from the environment.`,
    '--base-url URL':
      'Ask a server of your own that speaks OpenAI’s API, such as http://127.0.0.1:8080/v1.',
    '--summaries': 'Also examine a context whose summary --model writes.',
    '-n, --questions N': 'How many questions to ask (default 24).',
    '-o, --output FILE':
      'The file of questions, answers and grades. Default: throughline-exam.json.',
    ...yesOption,
    ...jsonOption,
    ...storeOptions,
  },
  examples: {
    'throughline exam session.jsonl':
      'See what each context of 8,000 tokens still states. No model is called.',
    'throughline exam session.jsonl --keep 4k --json': 'The same for 4,000 tokens, as JSON.',
  },
  run: runExam,
}
