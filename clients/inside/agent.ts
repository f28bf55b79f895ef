import {
  startProvider,
  type ScriptedProvider,
  type ServedRequest,
} from 'throughline/testing/provider'
import type { ServedAnswer } from '../../packages/throughline/src/testing/provider/served-answer.ts'
import type { Workspace } from './workspace.ts'

/** What the human asks for, with a rule that holds through every compaction. */
const task = 'Read all the notes, one after the other, and tell me the word of each.'
export const rule = 'Always answer in English.'
export const prompt = `${task} ${rule}`

type RequestKind = 'main' | 'title' | 'summary'

/** A provider whose model reads one file after the other, and says a lot about each. */
export interface ScriptedAgent extends ScriptedProvider {
  /** What each request was for, in the order of the requests. */
  kinds: RequestKind[]
  /** The human's newest words at each request. */
  heard: string[]
  /** From now on, this is what the human has said last. */
  hears: (words: string) => void
  /** How many files it has asked for. */
  read: () => number
}

interface AgentOptions {
  /** The client's tool that reads a file, and its input. */
  tool: string
  field: string
  workspace: Workspace
  /** The tokens that the provider takes, whatever the client believes. */
  window: number
  /** After so many files it is done with a prompt. */
  perPrompt: number
}

const summary = `## Goal
Read the notes and tell the word of each.

## Instructions
- Answer as the user wishes.

## Discoveries
- The files are long, and the word of each stands in its middle.

## Accomplished
- Files were read one after the other.

## Relevant files
- notes-1.txt`

export async function startAgent(options: AgentOptions): Promise<ScriptedAgent> {
  const { tool, field, workspace, window, perPrompt } = options
  const kinds: RequestKind[] = []
  let read = 0
  let inPrompt = 0
  const heard: string[] = []
  let newest = ''
  const script = (request: ServedRequest): ServedAnswer => {
    const kind = kindOf(request, tool)
    kinds[request.number - 1] = kind
    heard[request.number - 1] = newest
    if (kind === 'title') return { text: 'Reading notes' }
    if (kind === 'summary') return { text: summary }
    inPrompt += 1
    if (inPrompt > perPrompt || read >= workspace.files.length) {
      inPrompt = 0
      return { text: 'All of them are read.' }
    }
    read += 1
    const input = { [field]: workspace.files[read - 1] }
    return { text: thoughts(read), calls: [{ id: `call_${read}`, name: tool, input }] }
  }
  const provider = await startProvider({
    model: 'scripted',
    script,
    rules: { window, strict: true },
  })
  return {
    url: provider.url,
    requests: provider.requests,
    close: provider.close,
    kinds,
    heard,
    hears: (words) => (newest = words),
    read: () => read,
  }
}

function kindOf({ tools, said }: ServedRequest, tool: string): RequestKind {
  if (tools.includes(tool)) return 'main'
  const [first] = said.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return /title/i.test(first?.slice(0, 300) ?? '') ? 'title' : 'summary'
}

/** What pruning alone cannot take away. */
function thoughts(step: number): string {
  const lines = Array.from(
    { length: 200 },
    (_, index) =>
      `Thought ${index} of step ${step} is about ${(index * 7919 * step) % 9973} ships.`,
  )
  return `I read file ${step}. ${lines.join(' ')}`
}
