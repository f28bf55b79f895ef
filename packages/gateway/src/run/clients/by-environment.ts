import type { Pointed, RunClient } from '../run-client.ts'

type Named = Pick<RunClient, 'name' | 'commands' | 'logins' | 'installs'> & {
  settings?: RunClient['settings']
  /** The variables with the address of an API, and what the path of that address ends with. */
  variables: readonly { name: string; api: 'openai' | 'anthropic' | 'gemini'; end: string }[]
}

const openaiVariables = ['OPENAI_BASE_URL', 'OPENAI_API_BASE'].map((name) => ({
  name,
  api: 'openai' as const,
  end: '/v1',
}))

const variablesOfAnthropic = { name: 'ANTHROPIC_BASE_URL', api: 'anthropic', end: '' } as const
const variablesOfGemini = { name: 'GOOGLE_GEMINI_BASE_URL', api: 'gemini', end: '' } as const

const named: readonly Named[] = [
  {
    name: 'claude-code',
    commands: ['claude'],
    variables: [variablesOfAnthropic],
    installs: true,
    logins: [
      {
        login: 'an API key',
        works: 'not tried',
        lost: 'the 1M window, the meters of its plan, and tools that load when they are needed',
      },
      { login: 'a Claude plan', works: 'not tried', lost: 'the same' },
      { login: 'Bedrock or Vertex', works: 'no', lost: 'its requests bypass the gateway' },
    ],
  },
  {
    name: 'gemini-cli',
    commands: ['gemini'],
    variables: [variablesOfGemini],
    installs: true,
    settings: { ownSummary: '<state_snapshot>' },
    logins: [
      {
        login: 'an API key',
        works: 'yes',
        lost: 'its meter for a while, where it compresses without gain; after --resume, it sends a different past, so what was compacted is compacted again',
      },
      { login: 'a Google account', works: 'no', lost: 'its requests bypass the gateway' },
      { login: 'Vertex AI', works: 'no', lost: 'its requests bypass the gateway' },
    ],
  },
  {
    name: 'qwen-code',
    commands: ['qwen'],
    variables: openaiVariables,
    installs: true,
    logins: [
      {
        login: 'an API key (OPENAI_API_KEY)',
        works: 'not tried',
        lost: 'after --resume, it sends a different first message, so what was compacted is compacted again, unless its calls have ids of their own',
      },
      { login: 'a Qwen account', works: 'no', lost: 'its requests bypass the gateway' },
    ],
  },
  {
    name: 'copilot-cli',
    commands: ['copilot'],
    variables: [{ name: 'COPILOT_PROVIDER_BASE_URL', api: 'openai', end: '/v1' }],
    installs: true,
    logins: [
      { login: 'a key of your own (COPILOT_PROVIDER_…)', works: 'yes', lost: 'nothing' },
      { login: 'a GitHub seat', works: 'no', lost: 'its requests bypass the gateway' },
    ],
  },
]

/** Any other command: every variable that SDKs know. */
export const anyCommand: RunClient = byEnvironment({
  name: 'any',
  commands: [],
  variables: [...openaiVariables, variablesOfAnthropic, variablesOfGemini],
  installs: false,
  logins: [
    {
      login:
        'an API key, over an SDK that reads OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL',
      works: 'yes',
      lost: 'nothing',
    },
  ],
})

export const byVariables: readonly RunClient[] = named.map(byEnvironment)

function byEnvironment({ variables, settings = {}, ...client }: Named): RunClient {
  return {
    ...client,
    settings,
    check: `it reads ${variables.map(({ name }) => name).join(' or ')}, and that no flag and no file of its own names another address`,
    async point({ url, env }): Promise<Pointed> {
      const routes: Record<string, string> = {}
      const pointed: Record<string, string> = {}
      for (const { name, api, end } of variables) {
        const before = env[name]
        if (before === undefined || before === '') pointed[name] = `${url}${end}`
        else {
          routes[`${client.name}-${api}`] = before
          pointed[name] = `${url}/~${client.name}-${api}`
        }
      }
      return { env: pointed, args: [], upstreams: {}, routes }
    },
  }
}
