// The page works without this script. With it a photo is inspected before it is sent, and a form is sent once.

for (const button of document.querySelectorAll('button[data-busy]')) {
  const label = button.textContent
  button.form.addEventListener('submit', () => {
    // Only after the form was read, since it leaves disabled buttons out.
    setTimeout(() => {
      button.disabled = true
      button.textContent = `${button.dataset.busy}…`
    })
  })
  // A visitor who returns to the page may send again.
  addEventListener('pageshow', () => {
    button.disabled = false
    button.textContent = label
  })
}

const usNumber = document.querySelector('template[data-us-number]')
if (usNumber) askUsPersons(usNumber)

const file = document.querySelector('input[type=file]')
if (file) watch(file)

const phone = document.querySelector('details[data-watch]')
if (phone) phone.addEventListener('toggle', () => void watchPhone(phone), { once: true })

/** Says on the desk what was handed in on the phone, from when the code is shown. */
async function watchPhone(details) {
  const place = details.querySelector('.changed')
  let before
  for (;;) {
    const now = await stateAt(details.dataset.watch)
    // The link was used or has expired: the page itself says so.
    if (now === 'ended') {
      location.reload()
      return
    }
    if (before !== undefined && now !== undefined && now !== before) {
      place.textContent = place.dataset.text
      return
    }
    before ??= now
    await new Promise((resume) => setTimeout(resume, 5000))
  }
}

/** What is there and what is missing; undefined where it cannot be asked now. */
async function stateAt(address) {
  try {
    const response = await fetch(address)
    if (response.status === 410) return 'ended'
    if (!response.ok) return undefined
    const { requirements, documents, owners } = await response.json()
    return JSON.stringify([requirements, documents, owners])
  } catch {
    return undefined
  }
}

/** Asks US persons for their number, once both countries are chosen. */
function askUsPersons(template) {
  const form = template.parentElement
  const countries = ['nationality', 'address.country'].map((name) => form.elements[name])
  const group = template.content.firstElementChild
  const update = () => {
    const chosen = countries.map(({ value }) => value)
    if (chosen.includes('US') && !chosen.includes('')) template.before(group)
    else group.remove()
  }
  for (const country of countries) country.addEventListener('change', update)
  // A browser that returns to the page restores fields without an event.
  addEventListener('pageshow', update)
}

function watch(input) {
  const form = input.form
  const place = form.querySelector('.quality')
  let latest = 0

  const paragraph = (text, className) => {
    const element = document.createElement('p')
    element.textContent = text
    if (className) element.className = className
    return element
  }
  const say = (preview, ...paragraphs) => {
    const words = document.createElement('div')
    words.append(...paragraphs)
    place.replaceChildren(...(preview ? [preview] : []), words)
  }

  input.addEventListener('change', async () => {
    const mine = (latest += 1)
    const chosen = input.files[0]
    place.replaceChildren()
    if (!chosen) return
    if (chosen.size > Number(form.dataset.bytesMax)) {
      say(undefined, paragraph(form.dataset.tooLarge, 'bad'))
      return
    }
    const preview = chosen.type.startsWith('image/') ? picture(chosen) : undefined
    say(preview, paragraph(form.dataset.looking))
    const advice = await adviceOn(form, chosen)
    if (mine !== latest) return
    if (advice === undefined) say(preview, paragraph(form.dataset.later))
    else if (advice.length === 0) say(preview, paragraph(form.dataset.good, 'good'))
    else
      say(preview, paragraph(form.dataset.better, 'bad'), ...advice.map((text) => paragraph(text)))
  })
}

function picture(chosen) {
  const image = document.createElement('img')
  image.alt = ''
  image.src = URL.createObjectURL(chosen)
  image.addEventListener('load', () => URL.revokeObjectURL(image.src))
  return image
}

/** Undefined where the inspection failed. */
async function adviceOn(form, chosen) {
  const body = new FormData()
  const type = new FormData(form).get('documentType')
  if (type) body.append('documentType', type)
  body.append('file', chosen)
  try {
    const response = await fetch(form.dataset.check, { method: 'POST', body })
    return response.ok ? (await response.json()).advice : undefined
  } catch {
    return undefined
  }
}
