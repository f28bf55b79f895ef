/** One thing to be tried with the package as it is published. */
export interface Lane {
  group: 'install' | 'manager' | 'peer' | 'runtime' | 'types'
  name: string
  /** What a project has before Throughline is installed, by name and version. */
  packages: readonly string[]
  /** Nothing is run: the question is whether npm installs it. */
  resolves?: true
  /** What is run there. */
  argv?: readonly string[]
  /** Files of the examples that go with it. */
  examples?: readonly string[]
  /** A binary of the packages that runs it; Node by default. */
  runtime?: string
  /** What installs Throughline, where that is not npm. */
  manager?: Manager
  /** The compiler's options, where it is compiled and not run. */
  compiler?: Record<string, unknown>
  /** Also tried with every change. */
  corner?: true
}

/** A package manager of the lane's packages. */
export interface Manager {
  binary: string
  /** What stands before the path of a tarball that it is to add. */
  prefix: string
  /** What makes it run a command with what it installed. */
  exec: readonly string[]
  /** What has to be in the project before. */
  files: Readonly<Record<string, string>>
}

const zod = 'zod@4.6.0'

function installs(name: string, packages: readonly string[], corner?: true): Lane {
  return { group: 'install', name, packages, resolves: true, ...(corner && { corner }) }
}

function managed(
  name: string,
  packages: string,
  manager: Partial<Manager> & Pick<Manager, 'binary'>,
): Lane {
  const usual = { prefix: '', exec: [], files: {} }
  return { group: 'manager', name, packages: [packages], manager: { ...usual, ...manager } }
}

const yarn4 = (linker: string): Partial<Manager> => ({
  prefix: 'throughline@file:',
  files: { 'yarn.lock': '', '.yarnrc.yml': `nodeLinker: ${linker}\nenableTelemetry: false\n` },
})

/** The example of a door, by the packages that it needs. */
function door(
  name: string,
  packages: readonly string[],
  example: string,
  others: readonly string[] = [],
): Lane {
  const examples = [`${example}.ts`, 'told.ts', ...others]
  return { group: 'peer', name, packages, argv: ['example.mjs', example], examples }
}

const agents = (version: string): Lane =>
  door(
    `@openai/agents ${version}`,
    [`@openai/agents@${version}`, 'openai@7.57.0', zod],
    'openai-agents',
  )
const mastra = (version: string): Lane =>
  door(
    `@mastra/core ${version}`,
    [`@mastra/core@${version}`, 'ai@7.0.173', '@ai-sdk/openai@4.0.118', zod],
    'mastra',
  )
const google = (version: string): Lane =>
  door(`@google/genai ${version}`, [`@google/genai@${version}`], 'google')
const llamaindex = (version: string, workflow: string): Lane =>
  door(
    `@llamaindex/core ${version}`,
    [`@llamaindex/core@${version}`, `@llamaindex/workflow@${workflow}`, 'openai@7.57.0', zod],
    'llamaindex',
    ['llamaindex-model.ts'],
  )
const openai = (version: string): Lane => door(`openai ${version}`, [`openai@${version}`], 'openai')
const anthropic = (version: string): Lane =>
  door(`@anthropic-ai/sdk ${version}`, [`@anthropic-ai/sdk@${version}`], 'anthropic')
const langchain = (version: string, core: string, graph: string): Lane =>
  door(
    `langchain ${version}`,
    [
      `langchain@${version}`,
      `@langchain/core@${core}`,
      `@langchain/langgraph@${graph}`,
      'openai@7.57.0',
      zod,
    ],
    'langchain',
    ['openai-chat-model.ts'],
  )

function aiSdk(version: string, provider: string, corner?: true): Lane {
  return {
    group: 'peer',
    name: `ai ${version}`,
    packages: [`ai@${version}`, `@ai-sdk/openai@${provider}`, zod],
    argv: ['ai-sdk.mjs'],
    ...(corner && { corner }),
  }
}

function runtime(name: string, packages: readonly string[], binary?: string): Lane {
  const argv = binary === 'deno' ? ['run', '-A', 'run-pure.mjs'] : ['run-pure.mjs']
  return {
    group: 'runtime',
    name,
    packages,
    argv,
    ...(binary !== undefined && { runtime: binary }),
  }
}

const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }

function compiles(typescript: string, module: 'bundler' | 'node16' | 'nodenext'): Lane {
  const isBundler = module === 'bundler'
  const isCorner = typescript === '5.7.2' && module === 'node16'
  return {
    group: 'types',
    name: `TypeScript ${typescript}, ${module}`,
    packages: [`typescript@${typescript}`, '@types/node@22.20.5'],
    compiler: {
      ...strict,
      target: 'es2022',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      module: isBundler ? 'esnext' : module,
      moduleResolution: module,
      types: ['node'],
      noEmit: true,
    },
    ...(isCorner && { corner: true as const }),
  }
}

/** The oldest and the newest of everything that Throughline is used with. */
export const lanes: readonly Lane[] = [
  installs('alone', []),
  installs('ai 5', ['ai@5'], true),
  installs('ai 6', ['ai@6'], true),
  installs('ai 7', ['ai@7']),
  installs('a beta of ai 7', ['ai@7.0.0-beta.187']),
  installs('langchain 0.3', ['langchain@0.3', '@langchain/core@0.3'], true),
  installs('langchain 1', ['langchain@1', '@langchain/core@1']),
  installs('openai 4', ['openai@4']),
  installs('openai 5', ['openai@5']),
  installs('openai 6', ['openai@6']),
  installs('openai 7', ['openai@7']),
  installs('@anthropic-ai/sdk 0.39', ['@anthropic-ai/sdk@0.39']),
  installs('gpt-tokenizer 2', ['gpt-tokenizer@2']),
  installs('@openai/agents 0.1, openai 5', ['@openai/agents@0.1', 'openai@5']),
  managed('pnpm 12.21.0', 'pnpm@12.21.0', { binary: 'pnpm', exec: ['exec'] }),
  managed('yarn 1.22.22', 'yarn@1.22.22', { binary: 'yarn', exec: ['-s'] }),
  managed('yarn 4.18.1, node-modules', '@yarnpkg/cli-dist@4.18.1', {
    binary: 'yarn',
    ...yarn4('node-modules'),
  }),
  managed('yarn 4.18.1, pnp', '@yarnpkg/cli-dist@4.18.1', { binary: 'yarn', ...yarn4('pnp') }),
  managed('bun 1.4.5', 'bun@1.4.5', { binary: 'bun', exec: ['x'] }),
  {
    group: 'peer',
    name: 'ai 5.0.277, which is too old',
    packages: ['ai@5.0.277', zod],
    argv: ['too-old.mjs'],
  },
  aiSdk('6.0.0', '3.0.0', true),
  aiSdk('6.0.326', '3'),
  aiSdk('7.0.0', '4.0.0'),
  aiSdk('7.0.173', '4.0.118'),
  anthropic('0.39.0'),
  anthropic('1.12.0'),
  openai('4.104.0'),
  openai('5.23.2'),
  openai('6.30.1'),
  openai('7.57.0'),
  langchain('1.1.0', '1', '1'),
  langchain('1.3.0', '1', '1'),
  langchain('1.5.14', '1.4.0', '1'),
  agents('0.11.0'),
  agents('0.20.0'),
  mastra('1.57.0'),
  mastra('1.71.0'),
  google('1.0.0'),
  google('2.0.0'),
  google('3.1.0'),
  llamaindex('0.6.22', '1.1.24'),
  llamaindex('0.6.23', '1.1.25'),
  {
    group: 'peer',
    name: '@anthropic-ai/claude-agent-sdk 0.3.330',
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.330', zod],
    argv: ['claude-agent-sdk.mjs'],
  },
  runtime('Node 22.16.0', ['node@22.16.0'], 'node'),
  runtime('Node 24', ['node@24'], 'node'),
  runtime('Node 26.10.0', ['node@26.10.0'], 'node'),
  runtime('Bun 1.4.5', ['bun@1.4.5'], 'bun'),
  runtime('Deno 2.9.6', ['deno@2.9.6'], 'deno'),
  {
    group: 'runtime',
    name: 'workerd (miniflare 4.20260730.0)',
    packages: ['miniflare@4.20260730.0', 'rolldown@1.2.19'],
    argv: ['workerd.mjs'],
  },
  ...(['5.7.2', '6.0.3', '7.0.2'] as const).flatMap((typescript) =>
    (['bundler', 'node16', 'nodenext'] as const).map((module) => compiles(typescript, module)),
  ),
]
