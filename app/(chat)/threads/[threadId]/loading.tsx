import { ThreadSkeleton } from "@/components/chat/thread-skeleton";

export default ThreadSkeleton;
