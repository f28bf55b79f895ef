import { memoryStore } from 'throughline'
import { contextEngine, type ContextEngine } from 'throughline/hosts'

/** A host's own context engine: it is told each turn, and asked for each request. */
export async function hostEngine(turns: number): Promise<ContextEngine> {
  // page: begin
  const engine = contextEngine({ store: memoryStore(), budget: 20_000 })
  for (let turn = 1; turn <= turns; turn++) {
    const asked = { role: 'user', content: `Look at part ${turn}. Never push.` } as const
    const { messages } = await engine.assemble('session')
    const answer = { role: 'assistant', content: await askModel([...messages, asked]) } as const
    const said = [
      { key: `${turn}.asked`, at: turn, origin: 'human', message: asked } as const,
      { key: `${turn}.answer`, at: turn, origin: 'model', message: answer } as const,
    ]
    await engine.commit('session', { key: `turn ${turn}`, messages: said })
  }
  // page: end
  return engine
}

async function askModel(messages: readonly object[]): Promise<string> {
  return `With ${messages.length} messages: ${'this part is looked at. '.repeat(100)}`
}

if (process.argv[1] === import.meta.filename) {
  const engine = await hostEngine(60)
  const { messages, tokens } = await engine.assemble('session')
  const log = await (await engine.session('session')).log()
  const said = log.filter(({ kind }) => kind === 'message').length
  console.log(
    `Of ${said} messages the next request holds ${messages.length}, ${tokens} tokens of its budget of 20,000. The rule stands: ${JSON.stringify(messages).includes('Never push.')}.`,
  )
}
