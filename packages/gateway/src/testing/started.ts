import { startProvider, type ScriptedProvider } from 'throughline/testing/provider'
import { memoryGatewayStore } from '../store/sqlite-gateway-store.ts'
import { startGateway, type Gateway, type GatewayOptions } from '../server/gateway.ts'
import type { ProviderRules, ProviderScript } from 'throughline/testing/provider'

/** A gateway before a scripted provider. */
export interface Started {
  provider: ScriptedProvider
  gateway: Gateway
  problems: unknown[]
  close: () => Promise<void>
}

export async function started(
  { script, rules }: { script: ProviderScript; rules?: ProviderRules },
  options: Partial<GatewayOptions> = {},
): Promise<Started> {
  const provider = await startProvider({ script, ...(rules && { rules }) })
  const problems: unknown[] = []
  const { url } = provider
  const gateway = await startGateway({
    upstreams: { openai: `${url}/v1`, anthropic: url, gemini: url },
    store: memoryGatewayStore(),
    onProblem: (problem) => problems.push(problem),
    ...options,
  })
  return {
    provider,
    gateway,
    problems,
    async close() {
      await gateway.close()
      await provider.close()
    },
  }
}

/** Sends a request, and says what came back. */
export async function asked(
  gateway: Pick<Gateway, 'url'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<{
  status: number
  text: string
  did: string | null
  session: string | null
  headers: Headers
}> {
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  const text = await answer.text()
  const said = (name: string) => answer.headers.get(`x-throughline-${name}`)
  return {
    status: answer.status,
    text,
    did: said('did'),
    session: said('session'),
    headers: answer.headers,
  }
}
