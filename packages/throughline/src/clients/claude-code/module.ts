import { tookTooLong } from './question.ts'
import type {
  InstructionsAnswer,
  KeptMessage,
  ModuleAnswer,
  ModuleQuestion,
  WrittenByModel,
} from './question.ts'

/**
 * The hooks module of the Claude Code plugin: its compaction takes the place of the client's. It
 * runs inside the client, without Node, so it asks the program beside it; whatever goes wrong, the
 * client compacts as if it were not there.
 */
export function register(on: On): void {
  on('session.start', async ($, event, next) => {
    // Nobody waits for it.
    void started($).catch(() => undefined)
    return next(event)
  })
  on('session.compact', async ($, event, next) => {
    if (event.agentId !== undefined) return next(event)
    let theirs: CompactResult | undefined
    const once = async (given: CompactEvent): Promise<CompactResult> => (theirs = await next(given))
    try {
      const ours = await compacted($, event, once)
      if (ours) return ours
    } catch {
      // Said in the record, as far as that could be written.
    }
    return theirs ?? next(event)
  })
}

// The client draws anew what is kept: what is said before would go with the rest.
const untilDrawn = 500

/** One line for the person in front of the client, which puts the name of the plugin before it. */
function tell($: Engine, line: string): void {
  try {
    $.clock.after(untilDrawn, () => $.ui.log(line.replace(/^Throughline: /, '')))
  } catch {
    // An older client shows no lines.
  }
}

/** How the program beside it is started; `install` writes it. */
interface ModuleOptions {
  node: string
  program: string
}

declare const THROUGHLINE: ModuleOptions

// As long as the client itself waits for a hook.
const patience = 60_000

async function started($: Engine): Promise<void> {
  const session = await $.session.id()
  const { version } = await $.session.version()
  const { node, program } = THROUGHLINE
  const input = JSON.stringify({ ask: 'start', session, version } satisfies ModuleQuestion)
  // An older client cannot talk to a program: nothing says then that the module is at work.
  await answersOf($, $.process.spawn({ argv: [node, program, 'module'], input }))()
}

/** One program for the whole compaction: it reads the session once, and waits for the model with us. */
async function compacted(
  $: Engine,
  event: CompactEvent,
  next: (event: CompactEvent) => Promise<CompactResult>,
): Promise<CompactResult | undefined> {
  const began = await $.clock.now()
  const { context } = await $.session.usage()
  const { version } = await $.session.version()
  const question: ModuleQuestion = {
    ask: 'compact',
    session: await $.session.id(),
    version,
    directory: await $.session.cwd(),
    window: context.window,
    handles: event.messages.flatMap(({ handle }) => handle ?? []),
    ...(event.instructions !== undefined && { focus: event.instructions }),
  }
  const { node, program } = THROUGHLINE
  const input = JSON.stringify(question)
  const ran = $.process.spawn({ argv: [node, program, 'module'], input })
  try {
    const answer = answersOf($, ran)
    let said = await answer()
    if (said && 'instructions' in said) {
      if (said.give !== undefined) {
        const model = await modelSummary($, event, next, said)
        const waited = (await $.clock.now()) - began
        await $.fs.write(said.give, JSON.stringify({ ...model, waited } satisfies WrittenByModel))
      }
      said = await answer()
    }
    if (!said || !('kept' in said) || said.kept.length === 0) return undefined
    // A message handed back as the client's own would keep its parent in the transcript, and a resumed
    // process would follow that parent past our summary to the root: all that is kept is new.
    tell($, said.line)
    return { messages: said.kept, tokensBefore: said.before, tokensAfter: said.after }
  } finally {
    // Its end need not be waited for.
    void ran.return?.().catch(() => undefined)
  }
}

/** What the program says next; `undefined` where it ends without a word, or takes too long. */
function answersOf(
  $: Engine,
  ran: AsyncIterator<Printed>,
): () => Promise<ModuleAnswer | undefined> {
  let printed = ''
  const line = async (): Promise<string | undefined> => {
    while (!printed.includes('\n')) {
      const { done, value } = await ran.next()
      if (done) return undefined
      if (value.stream === 'stdout') printed += value.text
    }
    const end = printed.indexOf('\n')
    const first = printed.slice(0, end)
    printed = printed.slice(end + 1)
    return first
  }
  return async () => {
    const said = await Promise.race([line(), $.clock.sleep(patience).then(() => undefined)])
    return said === undefined ? undefined : (JSON.parse(said) as ModuleAnswer)
  }
}

/** The summary of the client's own model, with its own prompt and ours behind it. */
async function modelSummary(
  $: Engine,
  event: CompactEvent,
  next: (event: CompactEvent) => Promise<CompactResult>,
  { instructions: ours, patience: modelPatience }: InstructionsAnswer,
): Promise<Omit<WrittenByModel, 'waited'>> {
  const instructions = [event.instructions, ours].filter((each) => each).join('\n\n')
  const late = $.clock.sleep(modelPatience).then(() => undefined)
  const result = await Promise.race([
    next({ ...event, ...(instructions !== '' && { instructions }) }).catch((error: unknown) => ({
      skip: String(error),
    })),
    late,
  ])
  if (!result) return { noSummary: tookTooLong }
  if (!('messages' in result) || !result.messages)
    return { noSummary: `it gave no summary: ${result.skip}` }
  const [first, ...kept] = result.messages
  const summary = summaryIn(first?.text ?? '')
  if (summary === '') return { noSummary: 'the client’s model wrote none' }
  return { summary, tail: kept.map(textOf).join('\n') }
}

function textOf({ text, toolUses, toolResults = [] }: SessionMessage): string {
  const calls = toolUses.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`)
  return [text, ...calls, ...toolResults.map((result) => result.text)].join('\n')
}

/** The summary without what the client says around it; not every one has a label. */
function summaryIn(text: string): string {
  const own = text
    .replace(/<system-reminder>[^]*?<\/system-reminder>\s*/g, '')
    .replace(/^This session is being continued[^\n]*\s*/, '')
  const [, behind = own] = own.split(/^Summary:\n/m, 2)
  const [summary = ''] = behind.split('\n\nIf you need specific details from before compaction', 1)
  return summary.trim()
}

/** What is used here of the client's interface for such modules, of version 2.1.287 and later. */
interface Engine {
  session: {
    id: () => Promise<string>
    cwd: () => Promise<string>
    version: () => Promise<{ version: string }>
    usage: () => Promise<{ context: { window: number } }>
  }
  clock: {
    now: () => Promise<number>
    sleep: (ms: number) => Promise<void>
    after: (ms: number, then: () => void) => void
  }
  ui: { log: (line: string) => void }
  fs: { write: (path: string, text: string) => Promise<unknown> }
  process: {
    spawn: (program: { argv: readonly string[]; input: string }) => AsyncIterator<Printed>
  }
}

/** Some of what a program prints. */
interface Printed {
  stream: 'stdout' | 'stderr'
  text: string
}

interface SessionMessage extends KeptMessage {
  /** The client's own id of it. */
  handle?: string
}

interface CompactEvent {
  trigger: string
  agentId?: string
  instructions?: string
  messages: readonly SessionMessage[]
}

type CompactResult =
  | { messages: readonly SessionMessage[]; tokensBefore?: number; tokensAfter?: number }
  | { skip: string; messages?: undefined }

type Hook<Event, Result> = (
  $: Engine,
  event: Event,
  next: (event: Event) => Promise<Result>,
) => Promise<Result>

interface On {
  (name: 'session.start', hook: Hook<unknown, unknown>): void
  (name: 'session.compact', hook: Hook<CompactEvent, CompactResult>): void
}
