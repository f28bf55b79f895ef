import { lackingIn, strangerIn } from './measure.ts'
import { afterwards, longPrompts } from './prompts.ts'
import { runClient } from '../../run-client.ts'
import { textOf, type LongAgent } from './agent.ts'
import type { LongClient } from './long-client.ts'

interface Behind {
  inside: LongClient
  agent: LongAgent
  throughline: string
  program: string
  home: string
  directory: string
  env: Record<string, string>
}

/** How much more than the newest request fits, in tokens. */
const growth = 6_000

/**
 * What is wrong when a client with Throughline inside goes on behind the gateway, whose window is so
 * small that the gateway compacts once more what was compacted inside.
 */
export async function gatewayProblems(behind: Behind): Promise<string[]> {
  const { inside, agent, throughline, program, home, directory, env } = behind
  const mainOnes = () => agent.seen.filter(({ kind }) => kind === 'main')
  const before = mainOnes().at(-1)
  if (!before) return ['behind the gateway: nothing came before']
  const { length: prompt } = longPrompts
  agent.hears(prompt)
  // A quarter of a small window is kept for the answer.
  const window = `${Math.round(((before.request.tokens + growth) * 4) / 3)}`
  const asked = ['--when', 'before', '--window', window, '--summary-model', 'none']
  const args = [throughline, 'run', ...asked, '--', program, ...inside.again(afterwards.words)]
  const ran = await runClient({ command: process.execPath, args, home, directory, env })
  const problems: string[] = []
  if (ran.exitCode !== 0) problems.push(`it ended with ${ran.exitCode}: ${ran.printed.slice(-300)}`)
  const sent = mainOnes().filter((each) => each.prompt === prompt)
  const sizes = sent.map(({ request }) => request.tokens)
  if (!sizes.some((size, at) => size < (sizes[at - 1] ?? 0) * 0.9)) {
    problems.push(`it compacted nothing: ${sizes.join(', ')} tokens; ${ran.printed.slice(-300)}`)
  }
  for (const { request } of sent) {
    const text = textOf(request)
    const lost = [
      ...lackingIn(text, prompt),
      ...(text.includes(afterwards.words) ? [] : [afterwards.words]),
    ]
    for (const each of lost) problems.push(`a request lacks ${JSON.stringify(each)}`)
    // A client may say such a thing by itself.
    const stranger = strangerIn(before.request) === undefined ? strangerIn(request) : undefined
    if (stranger !== undefined) problems.push(`a request says as the human's: ${stranger}`)
  }
  const results = sent.flatMap(({ request }) => request.said)
  for (const tool of ['pin', 'compact']) {
    const id = `call_${tool}_${prompt}`
    const result = results.find((part) => part.type === 'result' && part.id === id)
    const answer = result?.type === 'result' ? result.text : 'not called'
    // What is asked for may be refused for a good reason, but not left without an answer.
    if (!/Pinned|Requested|Not now|Not needed/.test(answer)) problems.push(`${tool}: ${answer}`)
  }
  return problems.map((problem) => `behind the gateway: ${problem}`)
}
