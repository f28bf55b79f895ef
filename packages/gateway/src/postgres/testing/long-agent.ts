import { drawnId, wireAgents, type WireAgent } from '../../testing/agents.ts'
import type { ServedRequest } from 'throughline/testing/provider'

export const agent = wireAgents[0] as WireAgent

/** What nobody may forget. */
export const rule = 'Never edit main.ts.'

/** The request of an agent after so many steps, each of about 300 tokens. */
export function requestAfter(steps: number, whose: string, streams = true): object {
  const said = [
    ...agent.ask(`Read all parts of ${whose}. ${rule}`),
    ...Array.from({ length: steps }, (_, step) =>
      agent.step(
        drawnId(step, whose),
        { path: `src/${whose}-${step}.ts` },
        `part ${step} of ${whose}: ${'word '.repeat(250)}`,
      ),
    ).flat(),
  ]
  return agent.body({ model: 'm', said, streams, tools: true })
}

/** The requests of the agents themselves, not those for summaries. */
export function isMain({ tools }: Pick<ServedRequest, 'tools'>): boolean {
  return tools.includes('read')
}

export function messagesIn({ body }: Pick<ServedRequest, 'body'>): string[] {
  return (body['messages'] as unknown[]).map((one) => JSON.stringify(one))
}

/** How often a request does not begin with all of the one before. */
export function changesIn(requests: readonly ServedRequest[]): number {
  return requests.filter((request, index) => {
    const before = requests[index - 1]
    const now = messagesIn(request)
    return before !== undefined && messagesIn(before).some((one, at) => now[at] !== one)
  }).length
}
