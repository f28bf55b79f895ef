import type { ServedAnswer } from '../../testing/provider/index.ts'

type Sent = NonNullable<ServedAnswer['sends']>

/** Of a proxy that stands before a provider. */
export const page: Sent = {
  status: 502,
  type: 'text/html',
  body: '<!DOCTYPE html><html><head><title>502</title></head><body>Bad gateway</body></html>',
}

export const emptyBody: Sent = { status: 200, body: '' }

export const noJson: Sent = { status: 200, body: '{"choices":[{"message":{"content":"Half of' }

/** A proxy on the way wants a name and a password. Node's `fetch` makes an error without words of it. */
export const unnamedAtProxy = { status: 407, body: '' }
