import { createInterface } from 'node:readline'
import { answerLine, hermesMethods } from './engine.ts'
import { openClientStore } from '../client-store.ts'
import { writeClientRecord, type ClientRecord } from '../record.ts'

const client = 'hermes'
const { store, lost } = openClientStore(client, process.env)
const record = (entry: Omit<ClientRecord, 'at' | 'client'>): void =>
  void writeClientRecord({ at: Date.now(), client, ...entry }, process.env)
record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
const methods = hermesMethods({ store, record })

// Sessions may be asked for at the same time; each answer says what it answers.
for await (const line of createInterface({ input: process.stdin })) {
  void answerLine(methods, line).then((answer) => process.stdout.write(`${answer}\n`))
}
