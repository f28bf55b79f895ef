import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { startProvider, type ServedRequest } from 'throughline/testing/provider'
import type { ServedAnswer } from '../../../packages/throughline/src/testing/provider/served-answer.ts'
import { afterwards, longPrompts, planted } from './prompts.ts'
import type { LongClient } from './long-client.ts'

/** How the model answers a request for a summary; `untagged`: without the form that the client asks for. */
export type SummaryModel = 'instant' | 'slow' | 'forgetful' | 'untagged'

/** What a request was for, and what the human had said by then. */
export interface SeenRequest {
  request: ServedRequest
  kind: 'main' | 'title' | 'summary'
  /** The number of the prompt, from 0. */
  prompt: number
  /** Milliseconds since 1970. */
  at: number
  /** What the model has said and done by then. */
  told: { words: number; modules: number }
}

export interface LongAgent {
  url: string
  seen: SeenRequest[]
  /** The tools of ours that the model has called. */
  called: ReadonlySet<string>
  /** How many requests the provider has refused. */
  refused: () => number
  hears: (prompt: number) => void
  close: () => Promise<void>
}

/** What a model says of each file: a fact that stands nowhere else once the file is out of sight. */
export function wordOf(file: number): string {
  return `marigold-${file}-${(file * 7919) % 997}`
}

export function moduleOf(file: number): string {
  return `src/notes-module-${file}.ts`
}

/** What the agent asks for when all is done, by the number of its step. */
const asked: Readonly<Record<number, { tool: string; input: Record<string, unknown> }>> = {
  6: { tool: 'pin', input: { text: 'The last word is marigold-last.' } },
  7: { tool: 'compact', input: { focus: 'the last word' } },
}

const lines = 80

/** A project whose notes are more than several windows hold. */
export async function makeLongWorkspace(directory: string, count: number): Promise<void> {
  for (const folder of ['notes', 'docs', 'config', 'src']) {
    await mkdir(join(directory, folder), { recursive: true })
  }
  await writeFile(join(directory, 'config/prod.ts'), 'export const live = true\n')
  await writeFile(
    join(directory, 'docs/style.md'),
    `# Style\n\n${planted}\n\n${'Names are nouns, and functions are verbs. '.repeat(40)}\n`,
  )
  for (let file = 1; file <= count; file++) {
    const text = Array.from(
      { length: lines },
      (_, line) =>
        `Line ${line} of notes ${file} tells of weather, harbours and ${(line * 7919 * file) % 9973} ships.`,
    )
    if (file % 9 === 0) text.splice(20, 0, planted)
    await writeFile(join(directory, `notes/notes-${file}.txt`), `${text.join('\n')}\n`)
  }
}

interface LongAgentSettings {
  directory: string
  model: SummaryModel
  /** In tokens. */
  window: number
  /** How long the model takes for a step, in milliseconds. */
  stepTime?: number
  /** What becomes of each answer that is a summary. */
  summaryFault?: ((answer: ServedAnswer, request: ServedRequest) => ServedAnswer) | undefined
}

/** A provider whose model works through the notes, and forgets what its summaries do not say. */
export async function startLongAgent(
  inside: LongClient,
  { directory, model, window, stepTime = 0, summaryFault }: LongAgentSettings,
): Promise<LongAgent> {
  const seen: SeenRequest[] = []
  let prompt = 0
  let inPrompt = 0
  let step = 0
  let recalled = -1
  const told = { words: 0, modules: 0 }
  const called = new Set<string>()
  /** A call of a tool of ours, under the name that the client gives it; none where it is not offered. */
  const ownCall = (request: ServedRequest, tool: string, input: Record<string, unknown>) => {
    const name = request.tools.find((each) => new RegExp(`(?:^|[-_.])${tool}$`).test(each))
    const call = name === undefined ? inside.reach?.(request, tool, input) : { name, input }
    if (call) called.add(tool)
    return call
  }
  const script = async (request: ServedRequest): Promise<ServedAnswer> => {
    const kind = kindOf(request, inside)
    seen.push({ request, kind, prompt, at: Date.now(), told: { ...told } })
    if (kind === 'title') return { text: 'Notes' }
    if (kind === 'summary') {
      if (model === 'slow') await new Promise((resolve) => setTimeout(resolve, 4_000))
      const text = summaryOf(request, model)
      const formed = model === 'untagged' ? undefined : inside.summary?.(text, request)
      const answer = { text: formed ?? text }
      return summaryFault?.(answer, request) ?? answer
    }
    await new Promise((resolve) => setTimeout(resolve, stepTime))
    inPrompt += 1
    const { steps } = longPrompts[prompt] ?? afterwards
    if (inPrompt > steps) {
      inPrompt = 0
      return { text: `Part ${prompt + 1} is done.` }
    }
    const loading = inPrompt === 4 ? inside.loads?.(request) : undefined
    if (loading)
      return { text: 'I look for a tool.', calls: [{ id: `call_load_${prompt}`, ...loading }] }
    if (recalled < prompt && inPrompt === 5) {
      recalled = prompt
      // Without it, an agent reads the file again.
      const again = inside.read(join(directory, 'notes/notes-1.txt'))
      const call = ownCall(request, 'recall', { words: 'marigold' }) ?? again
      return { text: 'I look it up.', calls: [{ id: `call_recall_${prompt}`, ...call }] }
    }
    const asks = prompt >= longPrompts.length ? asked[inPrompt] : undefined
    const asking = asks && ownCall(request, asks.tool, asks.input)
    if (asks && asking) {
      return { text: 'I see to that.', calls: [{ id: `call_${asks.tool}_${prompt}`, ...asking }] }
    }
    step += 1
    return answerOf(step, { inside, directory, told })
  }
  const provider = await startProvider({
    model: 'scripted',
    script,
    rules: { window, strict: inside.strict ?? true },
  })
  return {
    url: provider.url,
    seen,
    called,
    refused: () => provider.requests.filter(({ refused }) => refused !== undefined).length,
    hears: (number) => {
      prompt = number
      inPrompt = 0
    },
    close: provider.close,
  }
}

function answerOf(
  step: number,
  { inside, directory, told }: { inside: LongClient; directory: string; told: SeenRequest['told'] },
): ServedAnswer {
  const { run, write, read } = inside
  const id = `call_${step}`
  if (step % 5 === 0) {
    told.modules += 1
    const file = join(directory, moduleOf(told.modules))
    const content = `export const word = '${wordOf(told.modules)}'\n`
    return {
      text: `I write the module of notes ${told.modules}.`,
      calls: [{ id, ...write(file, content) }],
    }
  }
  if (step % 7 === 0) {
    return {
      text: 'I run the checks.',
      calls: [{ id, ...run(`echo "check ${step} failed: 2 of 9" && exit 3`) }],
    }
  }
  told.words += 1
  const file = told.words
  const said = file > 1 ? `The word of notes ${file - 1} is ${wordOf(file - 1)}. ` : ''
  const thoughts = `${said}The next one is notes ${file}. ${thoughtsOf(file)}`
  return { text: thoughts, calls: [{ id, ...read(join(directory, `notes/notes-${file}.txt`)) }] }
}

/** Talk without a fact. */
function thoughtsOf(file: number): string {
  const talk = [
    'Let me look at it in the same way as before.',
    'I wonder how long the list is going to be.',
    'That should not take long.',
    'Now I check that nothing else comes in between.',
    'It seems best to go on one after the other.',
  ]
  return Array.from({ length: 14 }, (_, at) => talk[(at * file + at) % talk.length]).join(' ')
}

function kindOf(request: ServedRequest, { read, asksForSummary }: LongClient): SeenRequest['kind'] {
  const { tools, said } = request
  if (asksForSummary?.(request)) return 'summary'
  if (tools.includes(read('').name)) return 'main'
  const [first] = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return /title/i.test(first?.slice(0, 300) ?? '') ? 'title' : 'summary'
}

/** A summary in a model's own words: it knows what it was shown, and a forgetful one two thirds of it. */
function summaryOf(request: ServedRequest, model: SummaryModel): string {
  const text = textOf(request)
  const keeps = (name: string): boolean =>
    model !== 'forgetful' ||
    [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3 > 0
  const found = (pattern: RegExp): string[] => [...new Set(text.match(pattern))].filter(keeps)
  const words = found(/marigold-\d+-\d+/g)
  const modules = found(/src\/notes-module-\d+\.ts/g)
  return `## Goal
The notes are being gone through, and modules are made of them.

## Instructions
- Work in the way that was agreed.

## Discoveries
${words.map((word) => `- Notes ${word.split('-')[1]}: the word that stands for it is ${word}.`).join('\n')}
- Checks came to an end with 2 of 9 failing, which has been so from the beginning.

## Accomplished
- The modules ${modules.join(', ') || 'are still to come'} were made so far; the next notes follow.

## Relevant files
- notes: the sources of all that.`
}

export function textOf({ said, body }: ServedRequest): string {
  const texts = said.map((part) =>
    part.type === 'text' || part.type === 'result'
      ? part.text
      : part.type === 'call'
        ? JSON.stringify(part.input)
        : '',
  )
  const { instructions } = body
  return [...texts, typeof instructions === 'string' ? instructions : ''].join('\n')
}
