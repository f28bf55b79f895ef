import { fieldsOf, type Fields } from '../../json/fields.ts'

/** What a provider refuses, as its API says it. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Fields

  constructor(status: number, body: Fields) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

/** A `fetch` for an SDK's client, behind which one handler answers. */
export function servedBy(
  handle: (path: string, body: Fields, headers: Headers) => Fields,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const { pathname } = new URL(String(url))
    const body = fieldsOf(JSON.parse(String(init?.body)))
    try {
      const answer = handle(pathname, body ?? {}, new Headers(init?.headers))
      return Response.json(answer)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return Response.json(error.body, { status: error.status })
    }
  }
}

export function sizeOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}
