// Copies what stands beside a button, and says so aloud. Only where the page was asked for with buttons.

const status = document.querySelector('[role=status]')

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => void copy(button))
}

async function copy(button) {
  const value = document.getElementById(button.dataset.of).textContent.replaceAll(' ', '')
  const isDone = await navigator.clipboard.writeText(value).then(
    () => true,
    () => false,
  )
  // The same words again would not be spoken.
  status.textContent = ''
  requestAnimationFrame(() => {
    const said = isDone ? status.dataset.done : status.dataset.failed
    status.textContent = `${button.dataset.label}: ${said}`
  })
}
