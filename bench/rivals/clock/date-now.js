globalThis.results = []

const button = document.querySelector('button')
let startedAt = null

button.addEventListener('click', () => {
  if (startedAt === null) {
    startedAt = Date.now()
    button.textContent = 'Stop'
    return
  }
  globalThis.results.push(Date.now() - startedAt)
  startedAt = null
  button.textContent = 'Start'
})
