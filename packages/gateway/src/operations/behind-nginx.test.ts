import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer as createHttpServer, request, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProvider, type ScriptedProvider } from 'throughline/testing/provider'
import { agent, isMain, messagesIn, requestAfter } from '../postgres/testing/long-agent.ts'
import { asked } from '../testing/started.ts'
import {
  dropSchemas,
  newSchema,
  skipsWithout,
  testPostgres,
} from '../postgres/testing/test-postgres.ts'
import { startTeamGateway, type TeamGateway } from './serve-team.ts'

const url = skipsWithout(await testPostgres())
const has = (program: string) => spawnSync('which', [program]).status === 0
const isHere = url !== '' && has('nginx') && has('pgbouncer')
if (!isHere) console.warn('There is no nginx with pgbouncer here, so they are not tried.')

const deploy = new URL('../../deploy/', import.meta.url)
const given = (file: string): string => readFileSync(new URL(file, deploy), 'utf8')
const schema = newSchema()
const people = ['anna', 'ben', 'carl']

let provider: ScriptedProvider
let front = { url: '' }
const replicas: TeamGateway[] = []
const starts: (() => Promise<TeamGateway>)[] = []
const lines: string[] = []
const ends: (() => unknown)[] = []

/** A port that nobody has. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A provider that answers with what it was told. */
async function echoing(): Promise<string> {
  const server = createHttpServer((incoming, outgoing) => {
    outgoing.end(JSON.stringify(incoming.headers))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return once(socket, 'connect').then(
    () => (socket.destroy(), true),
    () => false,
  )
}

/** Runs a program until the tests have ended. */
async function running(program: string, argv: readonly string[], port: number): Promise<void> {
  let said = ''
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  ends.push(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`${program}: ${said}`)
    await sleep(50)
  }
}

describe.skipIf(!isHere)('two replicas behind nginx, on Postgres behind pgbouncer', () => {
  beforeAll(async () => {
    provider = await startProvider({
      script: (one) => (isMain(one) ? { text: 'Next word.', pace: 20, chunk: 1 } : { text: 'no' }),
      rules: { window: 16_000, strict: true },
    })
    const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
    chmodSync(folder, 0o755)
    const [bouncer, one, two, port] = await Promise.all([1, 2, 3, 4].map(freePort))
    const { port: postgres, username, pathname } = new URL(url)

    const users = join(folder, 'userlist.txt')
    writeFileSync(users, `"${username}" ""\n`)
    const ini = given('pgbouncer.ini')
      .replace('port=5432 dbname=throughline', `port=${postgres} dbname=${pathname.slice(1)}`)
      .replace('6432', `${bouncer}`)
      .replace('/etc/pgbouncer/userlist.txt', users)
      .replace('scram-sha-256', 'trust')
    writeFileSync(join(folder, 'pgbouncer.ini'), ini)
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    await running('pgbouncer', [...asNobody, join(folder, 'pgbouncer.ini')], bouncer as number)

    const store = `postgres://${username}@127.0.0.1:${bouncer}/throughline`
    for (const own of [one, two]) {
      const config = {
        ...JSON.parse(given('gateway.json')),
        port: own,
        schema,
        upstreams: { openai: `${provider.url}/v1` },
        routes: { echo: await echoing() },
        sessions: { window: { context: 16_000 }, summaryModel: false },
      }
      const configFile = join(folder, `gateway-${own}.json`)
      writeFileSync(configFile, JSON.stringify(config))
      const start = () =>
        startTeamGateway({
          configFile,
          env: { THROUGHLINE_STORE: store },
          logTo: { write: (line) => void lines.push(line) },
        })
      starts.push(start)
      replicas.push(await start())
    }

    const map = join(folder, 'users.map')
    writeFileSync(map, people.map((who) => `"Bearer key-of-${who}" ${who};\n`).join(''))
    const conf = given('nginx.conf')
      .replace('4141', `${one}`)
      .replace('4142', `${two}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace('/etc/nginx/throughline-users.map', map)
    const main = join(folder, 'nginx.conf')
    writeFileSync(
      main,
      `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off;\n${conf}\n}`,
    )
    await running('nginx', ['-c', main, '-p', folder], port as number)
    front = { url: `http://127.0.0.1:${port}` }
  }, 60_000)

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()))
    for (const end of ends.toReversed()) await end()
    await provider?.close()
    await dropSchemas(url, [schema])
  })

  const as = (who: string) => ({ authorization: `Bearer key-of-${who}` })
  const ask = (steps: number, whose: string, headers: Record<string, string>) =>
    asked(front, agent.path('m', true), requestAfter(steps, whose), headers)

  it('serve each person one session over both, with one checkpoint for a prefix', async () => {
    const sessions = new Map(people.map((who) => [who, new Set<string>()]))
    let compactions = 0
    for (let steps = 30; steps <= 70; steps++) {
      // The same conversation of all three, word for word.
      const answers = await Promise.all(people.map((who) => ask(steps, 'same', as(who))))
      for (const [at, { status, session, did }] of answers.entries()) {
        expect([status, did]).toEqual([200, expect.not.stringMatching('forwarded')])
        if (session) sessions.get(people[at] as string)?.add(session)
        if (did === 'compacted') compactions += 1
      }
    }
    expect([...sessions.values()].map(({ size }) => size)).toEqual([1, 1, 1])
    expect(new Set([...sessions.values()].flatMap((one) => [...one])).size).toBe(3)
    expect(compactions).toBeGreaterThan(3)
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
    expect(provider.requests.some((one) => messagesIn(one).length > 0 && one.refused)).toBe(false)
  })

  it('show each person its own sessions, whoever it says that it is, and nothing to strangers', async () => {
    const list = async (headers: Record<string, string>) =>
      fetch(`${front.url}/throughline/sessions`, { headers })
    const ids = async (headers: Record<string, string>): Promise<string[]> =>
      (await (await list(headers)).json()).sessions.map(({ id }: { id: string }) => id)
    const [anna, ben] = [await ids(as('anna')), await ids(as('ben'))]
    expect([anna.length, ben.length]).toEqual([1, 1])
    expect(anna).not.toEqual(ben)
    expect(await ids({ ...as('ben'), 'x-user': 'anna' })).toEqual(ben)
    expect((await list({ 'x-user': 'anna' })).status).toBe(401)
    expect((await list({ authorization: 'Bearer the-key-of-your-provider' })).status).toBe(401)
    expect((await fetch(`${front.url}/metrics`)).status).toBe(404)
    expect((await fetch(`${front.url}/healthz`)).status).toBe(200)
  })

  it('give the provider its own key, and tell it nobody’s name', async () => {
    const headers = { ...as('carl'), cookie: 'sso=1', 'x-forwarded-for': '10.1.1.1' }
    const answer = await fetch(`${front.url}/~echo/v1/models`, { headers })
    const heard = (await answer.json()) as Record<string, string>
    expect(heard['authorization']).toBe('Bearer the-key-of-your-provider')
    const told = ['x-user', 'cookie', 'x-forwarded-for', 'x-api-key'].filter(
      (name) => name in heard,
    )
    expect(told).toEqual([])
  })

  it('stream as it is said, and pass on what is long', async () => {
    const body = JSON.stringify(requestAfter(1, 'b'))
    const answer = await fetch(front.url + agent.path('m', true), {
      method: 'POST',
      headers: { ...as('ben'), 'content-type': 'application/json' },
      body,
    })
    let pieces = 0
    for await (const _ of answer.body as ReadableStream<Uint8Array>) pieces += 1
    expect(pieces).toBeGreaterThan(3)
    const upload = request(`${front.url}/v1/files`, { method: 'POST', headers: as('ben') })
    upload.end(Buffer.alloc(20_000_000))
    const [incoming] = (await once(upload, 'response')) as [IncomingMessage]
    expect(incoming.resume().statusCode).not.toBe(413)
  })

  it('go on where they are restarted one after the other, and lose nothing', async () => {
    const before = await ask(71, 'same', as('anna'))
    for (const [place, start] of starts.entries()) {
      await replicas[place]?.close()
      for (let each = 0; each < 4; each++) {
        const answer = await ask(72 + 4 * place + each, 'same', as('anna'))
        expect([answer.status, answer.session]).toEqual([200, before.session])
      }
      replicas[place] = await start()
    }
  })
})
