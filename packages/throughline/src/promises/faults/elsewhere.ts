import { createServer } from 'node:https'
import { createServer as createListener, type Server } from 'node:net'

/** Where nobody answers: nothing listens there, or nobody vouches for who does. */
export type Elsewhere = 'nobody' | 'untrusted'

// A key that protects nothing, and a certificate that it has signed itself.
const key =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgR1dGDsAXnZy5CEE9GjnHLUIVcZ7xr8VN' +
  'f5hozbvEu86hRANCAASH3nK4vG0aXkIrMlFTmMBcYvgYw1L55kEJkDuQNl6gx1ufE5Hm1jmEQ0GucsJ5' +
  'jhx1YTgFWKcd99MRlWCU+p9f'
const certificate =
  'MIIBSTCB8aADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCXVudHJ1c3RlZDAgFw0yMDAxMDEw' +
  'MDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJdW50cnVzdGVkMFkwEwYHKoZIzj0CAQYI' +
  'KoZIzj0DAQcDQgAEh95yuLxtGl5CKzJRU5jAXGL4GMNS+eZBCZA7kDZeoMdbnxOR5tY5hENBrnLCeY4c' +
  'dWE4BVinHffTEZVglPqfX6MyMDAwDwYDVR0RBAgwBocEfwAAATAdBgNVHQ4EFgQUempSULysleOwtbWc' +
  'I17ROGMp2VAwCgYIKoZIzj0EAwIDRwAwRAIgcNcLHO7t7utFvSFRmmWgGXKF9iVBG6VXkAwa0WZS8P0C' +
  'IHaUw7mnu/DeOMffrbZomdv5L14ykXhKGI9IR/F+l6jX'

/** An address of that kind on loopback; whoever opens it closes it. */
export async function openElsewhere(
  which: Elsewhere,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server =
    which === 'nobody'
      ? createListener()
      : createServer({ key: pem('PRIVATE KEY', key), cert: pem('CERTIFICATE', certificate) })
  const port = await listening(server)
  if (which === 'nobody') await closed(server)
  return {
    url: `${which === 'nobody' ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: () => (server.listening ? closed(server) : Promise.resolve()),
  }
}

function pem(what: string, base64: string): string {
  return `-----BEGIN ${what}-----\n${base64}\n-----END ${what}-----\n`
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) return address.port
  throw new Error('It is not listening on any port.')
}

async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
}
