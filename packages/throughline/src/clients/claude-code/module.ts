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
  await asked($, { ask: 'start', session, version })
}

async function compacted(
  $: Engine,
  event: CompactEvent,
  next: (event: CompactEvent) => Promise<CompactResult>,
): Promise<CompactResult | undefined> {
  const began = await $.clock.now()
  const session = await $.session.id()
  const directory = await $.session.cwd()
  const told = await asked($, { ask: 'instructions', session, directory })
  if (!told || !('instructions' in told)) return undefined
  const { context } = await $.session.usage()
  const { version } = await $.session.version()
  const question: CompactQuestion = {
    ask: 'compact',
    session,
    version,
    directory,
    window: context.window,
    handles: event.messages.flatMap(({ handle }) => handle ?? []),
    waited: (await $.clock.now()) - began,
    ...(event.instructions !== undefined && { focus: event.instructions }),
  }
  const answer = told.local
    ? await asked($, { ...question, noSummary: 'summaries by code alone were asked for' })
    : await askedWith($, question, {
        told,
        model: async () => {
          const model = await modelSummary($, event, next, told)
          return { ...model, waited: (await $.clock.now()) - began }
        },
      })
  if (!answer || !('kept' in answer)) return undefined
  // A message handed back as the client's own would keep its parent in the transcript, and a resumed
  // process would follow that parent past our summary to the root: all that is kept is new.
  const messages = answer.kept
  if (messages.length === 0) return undefined
  return { messages, tokensBefore: answer.before, tokensAfter: answer.after }
}

/** Asks while the model still writes: what it wrote is given once it is there. */
async function askedWith(
  $: Engine,
  question: CompactQuestion,
  {
    told: { give, patience: modelPatience },
    model,
  }: { told: InstructionsAnswer; model: () => Promise<WrittenByModel> },
): Promise<ModuleAnswer> {
  if (give === undefined) return asked($, { ...question, ...(await model()) })
  const waiting = asked($, { ...question, awaits: give }, modelPatience + patience).catch(
    () => undefined,
  )
  const written = await model()
  const { node } = THROUGHLINE
  const stdin = JSON.stringify(written)
  const given = await $.process.run([node, '-e', giving, give], { stdin, timeoutMs: patience })
  // Nobody answers without it.
  if (given.exitCode !== 0) return asked($, { ...question, ...written })
  return (await waiting) ?? null
}

const giving =
  "const fs=require('fs'),to=process.argv[1];fs.writeFileSync(to+'.new',fs.readFileSync(0),{mode:0o600});fs.renameSync(to+'.new',to)"

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

async function asked(
  $: Engine,
  question: ModuleQuestion,
  timeoutMs = patience,
): Promise<ModuleAnswer> {
  const { node, program } = THROUGHLINE
  const stdin = JSON.stringify(question)
  const ran = await $.process.run([node, program, 'module'], { stdin, timeoutMs })
  if (ran.exitCode !== 0 || ran.isStdoutTruncated) return null
  return JSON.parse(ran.stdout) as ModuleAnswer
}

/** What is used here of the client's interface for such modules, of version 2.1.287 and later. */
interface Engine {
  session: {
    id: () => Promise<string>
    cwd: () => Promise<string>
    version: () => Promise<{ version: string }>
    usage: () => Promise<{ context: { window: number } }>
  }
  clock: { now: () => Promise<number>; sleep: (ms: number) => Promise<void> }
  process: {
    run: (
      argv: readonly string[],
      init: { stdin: string; timeoutMs: number },
    ) => Promise<{ exitCode: number; stdout: string; isStdoutTruncated: boolean }>
  }
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
