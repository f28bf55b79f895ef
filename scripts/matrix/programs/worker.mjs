import { work } from './pure.mjs'

const worker = {
  async fetch() {
    try {
      return new Response(await work())
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 })
    }
  },
}

export { worker as default }
