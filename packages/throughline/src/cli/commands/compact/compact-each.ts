import { restOf, type ParsedArguments } from '../../command.ts'
import { usage } from '../../parse-arguments.ts'
import { forEachSession } from '../../several-sessions.ts'
import { runCompact } from './run.ts'
import { compactSettings, type CompactSettings } from './settings.ts'
import type { Io } from '../../io.ts'

/** Compacts each session that the argument names. */
export async function compactEach(parsed: ParsedArguments, io: Io): Promise<number> {
  const settings = compactSettings(parsed, io.env)
  if (restOf(parsed, 'session').length > 1) checkSeveral(settings)
  const run = (own: ParsedArguments, io: Io) => runCompact(compactSettings(own, io.env), own, io)
  const several = { between: 'heading', ending: endingOf(settings) } as const
  return forEachSession('compact', parsed, io, run, several)
}

/** @throws UsageError */
function checkSeveral({ first, stretch, form, written, output, dryRun }: CompactSettings): void {
  if (first === 'copy')
    throw usage('compact', 'the clipboard holds one session: --copy one at a time')
  if (stretch) throw usage('compact', '--from and --through name entries of one session: give one')
  const isDocument = form === 'ai-sdk' || (written && !written.install)
  if (isDocument && !dryRun && (output === undefined || output === '-')) {
    throw usage('compact', 'each session is a document of its own: name a directory with -o')
  }
}

/** The formats with one record a line. */
const inLines: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'pi',
  'copilot-cli',
  'gemini-cli',
  'qwen-code',
  'kimi-code',
])

function endingOf({ form, written }: CompactSettings): string {
  if (written) return inLines.has(written.destination.name) ? '.jsonl' : '.json'
  return { text: '.txt', markdown: '.md', json: '.json', 'ai-sdk': '.json' }[form]
}
