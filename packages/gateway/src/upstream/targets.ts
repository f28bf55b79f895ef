import type { Api } from '../wires/wire.ts'

/** The base URL of each provider: only the operator names them, never a request. */
export type Upstreams = Readonly<Partial<Record<Api, string>>>

/** The providers themselves. */
export const publicUpstreams: Readonly<Record<Api, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
}

/**
 * Where a request goes: the base, and the path as it came. A base may end as the path begins:
 * `https://api.openai.com/v1` and `/v1/responses` have `/v1` once.
 * @example
 * targetOf('https://openrouter.ai/api/v1', '/v1/models', '').href // 'https://openrouter.ai/api/v1/models'
 */
export function targetOf(base: string, path: string, search: string): URL {
  const url = new URL(base)
  const before = url.pathname.replace(/\/+$/, '')
  const last = before.slice(before.lastIndexOf('/'))
  const isTwice = last !== '' && `${path.replace(/^\/+/, '/')}/`.startsWith(`${last}/`)
  url.pathname = (isTwice ? before.slice(0, -last.length) : before) + path
  url.search = search
  return url
}
