import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { nodeOfPeers, peersFolder } from './install.ts'
import type { HostAnswer, HostRequest } from '../peers/protocol.ts'

/** A peer in its own process. */
export interface Peer {
  about: PeerAbout
  ask: (request: HostRequest, limit?: number) => Promise<HostAnswer>
  close: () => void
}

export type PeerAbout = Extract<HostAnswer, { type: 'opened' }>['about']

/** Milliseconds after which a peer is abandoned. */
const patience = 120_000

/**
 * Starts a peer.
 * @throws Error that says why it can't be loaded here.
 */
export async function openPeer(id: string, answers?: string): Promise<Peer> {
  const child = fork(join(peersFolder, 'host.ts'), [], {
    execPath: nodeOfPeers(),
    execArgv: ['--expose-gc', '--max-old-space-size=8192', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'], HOME: join(peersFolder, 'node_modules') },
  })
  const ask = (request: HostRequest, limit = patience): Promise<HostAnswer> =>
    askOnce(child, request, limit)
  const opened = await ask({ type: 'open', peer: id, ...(answers !== undefined && { answers }) })
  if (opened.type === 'opened') return { about: opened.about, ask, close: () => child.kill() }
  child.kill()
  throw new Error(opened.type === 'failed' ? opened.problem : `It answered ${opened.type}.`)
}

async function askOnce(
  child: ChildProcess,
  request: HostRequest,
  limit: number,
): Promise<HostAnswer> {
  if (!child.connected) return { type: 'failed', problem: 'Its process has ended.' }
  return new Promise((resolve) => {
    const done = (answer: HostAnswer): void => {
      clearTimeout(timer)
      child.off('message', done)
      child.off('exit', ended)
      resolve(answer)
    }
    const ended = (): void => done({ type: 'failed', problem: 'Its process ended.' })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      done({ type: 'failed', problem: `No answer after ${limit / 1_000} seconds.` })
    }, limit)
    child.on('message', done)
    child.on('exit', ended)
    child.send(request)
  })
}
