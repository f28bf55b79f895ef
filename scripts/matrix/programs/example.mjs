// The example of a door: node example.mjs openai-agents
const { doTask } = await import(`./${process.argv[2]}.ts`)
const { session, problems } = await doTask(12)
const log = await session.log()
const rewinds = log.filter(({ kind }) => kind === 'rewind')
if (problems.length + rewinds.length > 0) {
  throw new Error(`${problems.length} problems, ${rewinds.length} rewinds: ${problems[0]}`)
}
const messages = log.filter(({ kind }) => kind === 'message').length
if (messages < 50) throw new Error(`only ${messages} messages are in the log`)
console.log(`${messages} messages`)
