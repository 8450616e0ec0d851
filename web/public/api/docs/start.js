// Avoids the default layout, because its logo has inline style, and its text field loads documents from any site.
window.SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', layout: 'BaseLayout' })
