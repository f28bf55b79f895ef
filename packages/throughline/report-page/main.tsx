import { render } from 'preact'
import { App } from './app.tsx'
import { dataInPage } from './data.ts'
import { Machine } from './machine/machine.tsx'

const place = document.getElementById('page')
if (place) {
  place.textContent = ''
  const given = dataInPage()
  render('machine' in given ? <Machine machine={given.machine} /> : <App given={given} />, place)
}
