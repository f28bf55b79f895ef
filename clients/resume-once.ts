import { mkdir, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join, posix } from 'node:path'
import { harnesses, type Harness } from 'throughline/formats'
import { startProvider, type ServedRequest } from 'throughline/testing/provider'
import type { ScriptedAnswer } from 'throughline/testing/provider'
import { compactedSession, type Compacted } from './compacted.ts'
import { resumeProblems } from './check-resumed.ts'
import { askOnTerminal } from './terminal.ts'
import { runClient } from './run-client.ts'
import type { Client } from './client.ts'
import type { Start } from './sessions.ts'

/** One client, one session that is compacted and written for it, and all paths. */
export interface Trial {
  client: Client
  start: Start
  /** The folder in which the client is installed. */
  installed: string
  /** An empty folder for this run alone. */
  home: string
}

export interface TrialResult {
  problems: string[]
  /** The end of the client's output; only if something is wrong. */
  printed?: string
}

const model = 'scripted'
const prompt = 'Say in one word whether all is well, marigold.'
const callId = 'call_marigold'
const lastAnswer = 'Well.'

/** Writes a compacted session for a client, lets the client resume it, and checks its requests. */
export async function resumeOnce({ client, start, installed, home }: Trial): Promise<TrialResult> {
  const harness = harnesses.find(({ name }) => name === client.name)
  if (!harness) throw new Error(`No harness is called ${client.name}.`)
  const directory = join(home, 'work', 'project')
  await mkdir(directory, { recursive: true })
  const compacted = await compactedSession(start, client.name)
  const provider = await startProvider({ model, script: (request) => answer(request, client) })
  try {
    const place = { home, cache: installed, url: provider.url, model }
    const env = await client.settle(place)
    const written = await write(compacted, { harness, home, directory, env })
    const problems: string[] = []
    let printed = ''
    for (const args of client.resume({ ...written, prompt })) {
      const command = join(installed, 'node_modules', '.bin', client.command)
      if (client.onlyOnTerminal) {
        const isSent = (): boolean => provider.requests.length > 0
        const shown = { line: [command, ...args].join(' '), home, directory, env }
        const asked = await askOnTerminal(shown, { prompt, isSent, answer: lastAnswer })
        printed += asked.screen
        if (asked.problem !== undefined) problems.push(asked.problem)
        continue
      }
      const run = await runClient({ command, args, home, directory, env })
      printed += run.printed
      if (run.exitCode !== 0)
        problems.push(`${client.command} ${args[0]} ended with ${run.exitCode}`)
    }
    const call = { id: callId, gives: client.call.gives }
    const expected = { ...compacted, tools: start.tools, prompt, call }
    problems.push(...resumeProblems(provider.requests, expected))
    return { problems, ...(problems.length > 0 && { printed }) }
  } finally {
    await provider.close()
  }
}

/** First a call, then an end; a client's other requests, such as for a title, get a word. */
function answer({ said, tools }: ServedRequest, { call }: Client): ScriptedAnswer {
  const ran = said.some((part) => part.type === 'result' && part.id === callId)
  if (ran || !tools.includes(call.name)) return { text: lastAnswer }
  return { text: 'I look.', calls: [{ id: callId, name: call.name, input: call.input }] }
}

interface Written {
  harness: Harness
  home: string
  directory: string
  env: Record<string, string>
}

async function write(
  { written }: Compacted,
  { harness, home, directory, env }: Written,
): Promise<{ session: string; file: string }> {
  const identity = { session: randomUUID(), newId: randomUUID, now: Date.now(), directory }
  const { session, text, beside } = harness.writer.write(written, identity)
  const [root = home] = harness.roots({ variables: env, home, path: posix })
  const path = harness.placeFor({ session, directory, now: identity.now }) ?? 'session.json'
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  for (const other of beside?.(file) ?? [])
    await writeFile(join(dirname(file), other.path), other.text)
  return { session, file }
}
