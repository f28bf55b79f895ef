/** The providers' APIs that a gateway speaks; each has an upstream of its own. */
export type Api = 'openai' | 'anthropic' | 'gemini'

/** What a request asks for by its path. */
export interface Route {
  /** An answer of the model, or the number of tokens of the request. */
  asks: 'answer' | 'count'
  /** Where the path names the model. */
  model?: string
  /** Where the path says whether the answer comes as a stream. */
  streams?: boolean
}

/** What a request says besides its conversation. */
export interface Asked {
  model: string
  streams: boolean
  /** The instructions that stand outside of the conversation. */
  system: unknown
  tools: unknown
  /** The output that the client leaves room for, in tokens, if it says so. */
  output?: number
  /** Where a part of the conversation is kept by the provider: then there is nothing to follow. */
  elsewhere: boolean
}

/** One API, as far as a gateway must understand it. What it does not understand is forwarded. */
export interface Wire {
  readonly name: string
  readonly api: Api
  /** The field of the body that holds the conversation. */
  readonly list: string
  /** `undefined` if the path is not of this API's model. */
  route: (path: string) => Route | undefined
  /** `field` reads a field of the body by its name. */
  read: (field: (name: string) => unknown, route: Route) => Asked
}

/** Whether a path ends so, whatever a proxy has put before it. */
export function endsWith(path: string, ...ends: readonly string[]): boolean {
  const plain = path.replace(/\/+$/, '')
  return ends.some((end) => plain === end || plain.endsWith(`/${end}`))
}
