// Stands in for what packages bring along and nothing here uses: the database server and the studio of Prisma's
// command line (80 packages), and sharp, with which Next would resize pictures (19 MB; every picture here is shown as
// it was uploaded). Their owners load them lazily or use nothing of them.
module.exports = {};
