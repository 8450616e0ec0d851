# docker build -t taps . && docker run --init -p 127.0.0.1:3000:3000 -v taps:/var/lib/taps taps
# Any base works that has Node 20.19 or newer, npm and a user called node.
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS build
# What git describe says; the image is built without .git.
ARG TAPS_VERSION=
WORKDIR /srv/taps
COPY . .
# The build contains the packages that it was built from; only those with files of their own stay.
RUN npm run build && rm -rf .cache \
  node_modules/vite node_modules/@vitejs node_modules/rolldown node_modules/@rolldown node_modules/lightningcss*

FROM ${NODE}
WORKDIR /srv/taps
COPY --from=build /srv/taps .
RUN mkdir /var/lib/taps && chown node: /var/lib/taps
USER node
ENV HOST=0.0.0.0 DATA_DIR=/var/lib/taps
VOLUME /var/lib/taps
EXPOSE 3000
# Started directly: npm would not pass the stop signal on.
CMD ["./taps", "start"]
