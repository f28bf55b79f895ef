import { tookTooLong } from './question.ts'
import type {
  CompactQuestion,
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
  const begun: Begun = {}
  on('session.start', async ($, event, next) => {
    // Nobody waits for it.
    void started($, begun).catch(() => undefined)
    return next(event)
  })
  on('session.compact', async ($, event, next) => {
    if (event.agentId !== undefined) return next(event)
    let theirs: CompactResult | undefined
    const once = async (given: CompactEvent): Promise<CompactResult> => (theirs = await next(given))
    try {
      const ours = await compacted($, event, { next: once, begun })
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

async function started($: Engine, begun: Begun): Promise<void> {
  const session = await $.session.id()
  const { version } = await $.session.version()
  // An older client cannot talk to a program: nothing says then that the module is at work.
  const said = await run($, { ask: 'start', session, version }).answer()
  if (!said || !('limit' in said) || begun.limit !== undefined) return
  begun.limit = said.limit
  // Neither a step nor a tool waits for this.
  $.clock.every(look, () => void beginAhead($, begun).catch(() => undefined))
}

/** A program that has been started, and what it says next. */
interface Running {
  ran: AsyncIterator<Printed>
  answer: () => Promise<ModuleAnswer | undefined>
}

/** The program that reads ahead, if there is one. */
interface Begun {
  /** What the user lets a session have, in tokens, before it is compacted. */
  limit?: number
  ahead?: { session: string; program: Promise<Running & { question: string }> }
}

function run($: Engine, question: ModuleQuestion): Running {
  const { node, program } = THROUGHLINE
  const ran = $.process.spawn({
    argv: [node, program, 'module'],
    input: JSON.stringify(question),
  })
  return { ran, answer: answersOf($, ran) }
}

function stop({ ran }: Running): void {
  void ran.return?.().catch(() => undefined)
}

// In milliseconds.
const look = 2_000
// What Claude Code keeps free at least, in tokens, and how near to that a compaction is near.
const reserve = 33_000
const near = 0.75

/** Starts the program before a compaction is due: whoever works does not wait for what it reads then. */
async function beginAhead($: Engine, begun: Begun): Promise<void> {
  const { tokens = 0, window } = (await $.session.usage()).context
  if (tokens < (Math.min(window, begun.limit || window) - reserve) * near) return
  const session = await $.session.id()
  if (begun.ahead?.session === session) return
  const directory = await $.session.cwd()
  const { version } = await $.session.version()
  leave(begun)
  const started = async (): Promise<Running & { question: string }> => {
    const running = run($, { ask: 'ahead', session, version, directory, window })
    const said = await running.answer()
    if (said && 'question' in said) return { ...running, question: said.question }
    stop(running)
    throw new Error('it does not read ahead')
  }
  const program = started()
  begun.ahead = { session, program }
  await program
}

/** A program that reads another session, or has answered, is not needed any more. */
function leave(begun: Begun): void {
  const { ahead } = begun
  delete begun.ahead
  void ahead?.program.then(stop, () => undefined)
}

/** What the program that has read ahead says first, if there is one, else what a new one says. */
async function ask(
  $: Engine,
  question: CompactQuestion,
  begun: Begun,
): Promise<Running & { said: ModuleAnswer | undefined }> {
  const { ahead } = begun
  if (ahead?.session === question.session) {
    try {
      const running = await ahead.program
      await $.fs.write(running.question, JSON.stringify(question))
      const said = await running.answer()
      if (said !== undefined) return { ...running, said }
    } catch {
      // It has ended.
    }
  }
  const running = run($, question)
  return { ...running, said: await running.answer() }
}

/** One program for the whole compaction: it reads the session once, and waits for the model with us. */
async function compacted(
  $: Engine,
  event: CompactEvent,
  { next, begun }: { next: (event: CompactEvent) => Promise<CompactResult>; begun: Begun },
): Promise<CompactResult | undefined> {
  const began = await $.clock.now()
  const { context } = await $.session.usage()
  const { version } = await $.session.version()
  const question: CompactQuestion = {
    ask: 'compact',
    session: await $.session.id(),
    version,
    directory: await $.session.cwd(),
    window: context.window,
    handles: event.messages.flatMap(({ handle }) => handle ?? []),
    ...(event.instructions !== undefined && { focus: event.instructions }),
  }
  const { said: first, ...running } = await ask($, question, begun)
  try {
    let said = first
    if (said && 'instructions' in said) {
      if (said.give !== undefined) {
        const model = await modelSummary($, event, next, said)
        const waited = (await $.clock.now()) - began
        await $.fs.write(said.give, JSON.stringify({ ...model, waited } satisfies WrittenByModel))
      }
      said = await running.answer()
    }
    if (!said || !('kept' in said) || said.kept.length === 0) return undefined
    // A message handed back as the client's own would keep its parent in the transcript, and a resumed
    // process would follow that parent past our summary to the root: all that is kept is new.
    tell($, said.line)
    return { messages: said.kept, tokensBefore: said.before, tokensAfter: said.after }
  } finally {
    // Its end need not be waited for.
    stop(running)
    leave(begun)
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
    usage: () => Promise<{ context: { tokens?: number; window: number } }>
  }
  clock: {
    now: () => Promise<number>
    sleep: (ms: number) => Promise<void>
    after: (ms: number, then: () => void) => void
    every: (ms: number, then: () => void) => void
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
