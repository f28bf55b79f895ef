import { readFileSync } from 'node:fs'
import { ThroughlineError } from 'throughline'
import { parseTokens } from 'throughline/engine'
import { z } from 'zod'
import { usualDropped } from '../server/headers.ts'

/** A configuration that cannot be used. */
export class GatewayConfigError extends ThroughlineError<'GATEWAY_CONFIG'> {
  static override readonly code = 'GATEWAY_CONFIG'

  readonly problems: readonly string[]

  constructor(place: string, problems: readonly string[], options?: ErrorOptions) {
    super(GatewayConfigError.code, `${place} cannot be used: ${problems.join('; ')}`, options)
    this.problems = problems
  }
}

const count = z.number().int().positive()

// Addresses at which clouds give credentials to whoever asks from within.
const metadata =
  /^(?:169\.254\.|\[(?:::ffff:(?:0:)?a9fe:|fd00:ec2:|fe80:)|metadata\.|100\.100\.100\.200|168\.63\.129\.16)/i

const baseUrl = z.url({ protocol: /^https?$/ }).refine(
  (text) => {
    const { hostname, username, password } = new URL(text)
    return username === '' && password === '' && !metadata.test(hostname)
  },
  { error: 'must be the address of a provider, without a user and not a metadata service' },
)

const sizes = z.strictObject({
  context: count,
  input: count.optional(),
  output: count.optional(),
})

const form = 'must be 200000, "200k", or {"context": 200000}, at will with "input" and "output"'

/** In tokens, as on the command line, or with the most of the input and of the answer. */
const window = z.unknown().transform((value, context) => {
  const tokens = typeof value === 'string' ? parseTokens(value) : value
  const { data } = sizes.safeParse(typeof tokens === 'number' ? { context: tokens } : tokens)
  if (data) return data
  context.addIssue({ code: 'custom', message: form })
  return z.NEVER
})

const name = z.string().regex(/^[\w.-]{1,40}$/)
const dollars = z.number().nonnegative()

/** What may be used, by a key or by all keys of a team together. */
const limits = {
  /** Tokens in and out: as the provider counts them, else estimated. Days and minutes are in UTC. */
  tokensPerMinute: count.optional(),
  tokensPerDay: count.optional(),
  /** US dollars, by the list prices of models, or by `prices`. */
  dollarsPerDay: dollars.positive().optional(),
}

const key = z.strictObject({
  /** What it is called in logs and metrics. */
  name,
  /** The SHA-256 of the key, in hexadecimal: the key itself stands in no file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Requests at the same time. */
  concurrent: count.optional(),
  ...limits,
  /** The team whose budget it uses as well. */
  team: name.optional(),
  /** Whether it is refused while the store cannot say what is left of its budgets. */
  failClosed: z.boolean().default(false),
  /** The models that it may ask for. */
  models: z.array(z.string()).optional(),
})

const headerName = z
  .string()
  .regex(/^[\w-]+$/, { error: 'must be the name of a header, such as "x-user"' })
  .transform((name) => name.toLowerCase())

const headerPattern = z
  .string()
  .regex(/^[\w-]+\*?$/, { error: 'must be the name of a header, or its beginning and *' })
  .transform((name) => name.toLowerCase())

const fields = z.strictObject({
  host: z.string().default('0.0.0.0'),
  port: z.number().int().min(0).max(65_535).default(4141),
  /** `postgres://…`, or a folder; else the variable THROUGHLINE_STORE. */
  store: z.string().optional(),
  schema: z.string().optional(),
  connections: count.default(10),
  upstreams: z
    .strictObject({
      openai: baseUrl.optional(),
      anthropic: baseUrl.optional(),
      gemini: baseUrl.optional(),
    })
    .default({}),
  routes: z.record(z.string().regex(/^[\w.-]+$/), baseUrl).default({}),
  sessions: z
    .strictObject({
      windows: z.record(z.string(), window).optional(),
      window: window.optional(),
      when: z.enum(['before', 'rescue', 'never']).optional(),
      mostUsage: count.optional(),
      summaryTimeout: count.optional(),
      summaryModel: z.union([z.string(), z.literal(false)]).optional(),
      tools: z.array(z.enum(['recall', 'compact'])).optional(),
    })
    .default({}),
  limits: z
    .strictObject({
      /** The longest body, in bytes. */
      body: count.default(64 * 1024 * 1024),
      /** Bytes of all bodies that one process holds; a caller gets half of what is left. */
      bodies: count.default(512 * 1024 * 1024),
      /** How many seconds a body is waited for, besides what a slow line takes for it. */
      bodySeconds: count.default(30),
      /** Requests at the same time in one process; a caller gets half of what is left. */
      concurrent: count.default(1_000),
    })
    .prefault({}),
  /** The headers in which the proxy before the gateway says who asks. */
  identity: z.array(headerName).default([]),
  /** The headers that no provider is told; `*` stands for the rest of a name. */
  dropHeaders: z.array(headerPattern).default([...usualDropped]),
  /** Whether callers may see and change their own sessions over HTTP. */
  sessionInterface: z.enum(['off', 'callers']).default('off'),
  /** Whether they may make links to a page of a session that open without a key, for ten minutes. */
  reportLinks: z.boolean().default(false),
  keys: z.array(key).default([]),
  /** What each caller may use, whoever it is: a key together with what `identity` names. */
  callers: z
    .strictObject({
      /** Requests at the same time, in one process. */
      concurrent: count.optional(),
      ...limits,
    })
    .default({}),
  /** What all keys of a team may use together, by the team’s name. */
  teams: z.record(name, z.strictObject(limits)).default({}),
  /** US dollars per million tokens, by the names of models; else list prices. */
  prices: z
    .record(
      z.string(),
      z.strictObject({
        input: dollars,
        output: dollars,
        cacheRead: dollars.exactOptional(),
        cacheWrite: dollars.exactOptional(),
      }),
    )
    .default({}),
  /** Whether only the keys above are served. */
  onlyKnownKeys: z.boolean().default(false),
  /** Sessions that nobody has used for so many days are deleted. */
  retentionDays: z.number().positive().default(30),
  /** How long running answers are waited for at the end, in seconds. */
  drainSeconds: z.number().positive().default(60),
  log: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

const schema = fields.superRefine(({ keys, teams }, context) => {
  for (const [index, { team }] of keys.entries()) {
    if (team === undefined || Object.hasOwn(teams, team)) continue
    const message = `there is no team ${team}: name it under teams`
    context.addIssue({ code: 'custom', path: ['keys', index, 'team'], message })
  }
})

/** Everything that an operator decides. */
export type TeamConfig = z.output<typeof schema>
export type KeyPolicy = TeamConfig['keys'][number]

/**
 * Checks a configuration; every default is filled in.
 * @throws GatewayConfigError
 */
export function teamConfig(value: unknown, place = 'The configuration'): TeamConfig {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw new GatewayConfigError(
    place,
    error.issues.map(({ path, message }) => `${path.join('.') || 'all of it'}: ${message}`),
  )
}

/** @throws GatewayConfigError */
export function readTeamConfig(file: string): TeamConfig {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read'
    throw new GatewayConfigError(file, [problem], { cause })
  }
  return teamConfig(value, file)
}
