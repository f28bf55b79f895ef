import { render } from 'preact'
import { App } from './app.tsx'
import { dataInPage } from './data.ts'

const place = document.getElementById('page')
if (place) {
  place.textContent = ''
  render(<App given={dataInPage()} />, place)
}
